"""Facts about metric objects: whether their states were emptied between evaluations."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class MetricState:
    """One metric object of torchmetrics that the program's own code updates and computes.

    kind        its class
    place       the line that computes it
    computed    how often it was computed after training had gone on since the computation before
    carried     those of them that still held what had gone in before
    """

    kind: str
    place: Place | None
    computed: int
    carried: int


@dataclass(frozen=True, kw_only=True)
class MetricStates(Fact):
    """Every metric object that was computed more than once."""

    metrics: tuple[MetricState, ...]
