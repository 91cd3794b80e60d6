"""Facts about the autograd graphs of training as they follow on each other: whether they end, and what they join."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule


@dataclass(frozen=True, kw_only=True)
class GraphGrowth(Fact):
    """What was left of earlier steps' graphs, for the first place that begins backward passes.

    place       that place
    kept_at     where the source shows that what a backward pass began from is added up or kept, None where it doesn't
    sizes       (step, nodes of the graph) at the sampled steps
    alive       at the last sampled step: graphs of earlier sampled steps that something in the program still holds
    of          earlier sampled steps
    """

    schedule: Schedule
    place: Place | None = None
    kept_at: Place | None = None
    sizes: tuple[tuple[int, int], ...] = ()
    alive: int = 0
    of: int = 0


@dataclass(frozen=True, kw_only=True)
class LinearPair:
    """Two nn.Linear of which one is given just what the other put out.

    first, second   their names, as the user calls them
    widths          into the first, between the two, out of the second
    place           the user's line that calls the second, or that makes the sequence which holds it
    """

    first: str
    second: str
    widths: tuple[int, int, int]
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class LinearPairs(Fact):
    """Linear layers back to back, in the sampled graphs of losses; `layers` counts those that were met."""

    pairs: tuple[LinearPair, ...]
    layers: int
    hidden: str | None = None
