"""Facts about the order of calls around optimizer steps: clearing, backward passes, clipping, scaling, stepping."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class OrderRecord:
    """One optimizer, on sampled steps.

    place           the line that made it
    step_place      the line that steps it
    clear_place     the line that cleared gradients between the backward pass that filled them and the step
    steps           steps taken
    seen            steps that were looked at
    filled          those of them before which a backward pass had filled its gradients
    cleared         those of these at which the gradients were gone again
    empty           steps looked at without a single gradient
    followed        steps looked at of which the step before was looked at too, and had a backward pass of its own
    again           those of these that used the very gradients of the step before, with no backward pass between them
    again_place     the line of these
    shared_with     another optimizer that stepped the same parameters with the same gradients, by its kind
    shared          how often it did so
    fed             while it had taken no step: backward passes looked at that left gradients at its parameters
    by_hand         its parameters were written to although it took no step
    """

    kind: str
    place: Place | None
    step_place: Place | None
    clear_place: Place | None
    again_place: Place | None
    steps: int
    seen: int
    filled: int
    cleared: int
    empty: int
    followed: int
    again: int
    shared_with: str | None
    shared: int
    fed: int
    by_hand: bool


@dataclass(frozen=True, kw_only=True)
class OrderFacts(Fact):
    """Every optimizer of the program in the order of their making; `backwards` counts backward passes."""

    optimizers: tuple[OrderRecord, ...]
    backwards: int
