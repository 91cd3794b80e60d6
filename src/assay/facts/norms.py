"""Facts about batch norm: how many values it takes its statistics from, and whether frozen ones still move."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class NormRecord:
    """One batch norm, as it was called in training mode by passes that autograd records.

    name        its path below `model`, the class of the module that the program called
    place       the user's line of the last such pass
    calls       looked at
    values      the most values of a channel that a call's statistics were taken from
    few         calls in which these were two or fewer
    bias        path of the layer with a bias whose output it is given as it is, None where there is none
    drifting    sampled steps after calls in which it and other layers were frozen, though they had been trained or
                loaded before, and its running statistics moved; something else was trained
    """

    model: str
    name: str
    place: Place | None
    calls: int
    values: int
    few: int
    bias: str | None = None
    drifting: int = 0


@dataclass(frozen=True, kw_only=True)
class NormFacts(Fact):
    """Every batch norm that keeps running statistics."""

    norms: tuple[NormRecord, ...]
