"""Facts about the terms of one loss: how they are reduced, and how much one element of each weighs."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class UnevenTerms:
    """Two terms of one loss, added with no weight of their own: one summed over the batch, one averaged over it.

    The averaged term is made of values that the summed term is a penalty on, or the reverse.

    summed, averaged    what reduces them: "Sum", "MseLoss"
    summed_over         elements, and `averaged_over` likewise
    place               the line of the penalty, or else of the loss function or the backward pass
    steps               sampled steps at which this was so
    """

    summed: str
    averaged: str
    summed_over: int
    averaged_over: int
    place: Place | None
    steps: int


@dataclass(frozen=True, kw_only=True)
class LossScales(Fact):
    """Such pairs; `walked` counts the losses of several terms that were looked at."""

    walked: int
    uneven: tuple[UnevenTerms, ...] = ()
