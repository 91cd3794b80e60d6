"""Facts about the clipping of gradients, and about gradient scalers."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class ClipRecord:
    """One line that clips gradients, on sampled steps.

    function    "clip_grad_norm_" or "clip_grad_value_"
    limit       the largest norm or value that it lets through
    seen        calls that were looked at
    late        those between a step and the next backward pass: the step that they were for had been taken
    scaled      those of gradients that a gradient scaler had scaled and not unscaled
    norms       the norms that were met, before clipping, at most 32; empty for values
    """

    function: str
    place: Place | None
    limit: float
    seen: int
    late: int
    scaled: int
    norms: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ClippingFacts(Fact):
    """Every line of the program that clips gradients of parameters that an optimizer holds."""

    clips: tuple[ClipRecord, ...]
