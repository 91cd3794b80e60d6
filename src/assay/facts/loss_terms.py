"""Facts about the terms of a loss: those that never took part in training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

How = Literal["overwritten", "unread", "constant"]


@dataclass(frozen=True, kw_only=True)
class DroppedTerm:
    """The value of a loss function that no backward pass of the sampled steps came past, though each had one.

    name        torch.nn.functional's name
    variable    what the program calls its value
    steps       sampled steps at which it was computed
    how         what the source says of it: "overwritten" before anything read it, at `line`; "unread": nothing reads
                it, or what reads it is thrown away; "constant": it is added to the loss at `line`, but was computed
                from a model's output that had been cut off from its graph
    place       where it is computed
    line        where it is lost
    """

    name: str
    variable: str
    steps: int
    how: How
    place: Place
    line: Place


@dataclass(frozen=True, kw_only=True)
class LossTerms(Fact):
    """The dropped terms; `computed` counts the places where values of loss functions were made while training."""

    dropped: tuple[DroppedTerm, ...]
    computed: int
