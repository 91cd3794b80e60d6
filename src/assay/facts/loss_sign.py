"""Facts about the sign of the losses that a program's backward passes begin from."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule


@dataclass(frozen=True, kw_only=True)
class LossRoot:
    """One sampled backward pass.

    name            the loss function whose result it begins from, divided or negated at most; None for any other root
    negated         whether that result is negated an odd number of times
    place           the line that begins it
    value           of the root
    trained         the share of the model's trainable parameters that an optimizer holds; None where no model passed
    """

    name: str | None
    negated: bool
    place: Place | None
    step: int
    value: float
    trained: float | None


@dataclass(frozen=True, kw_only=True)
class LossSignFacts(Fact):
    """The sampled backward passes, and how many optimizers stepped, of which so many maximise."""

    roots: tuple[LossRoot, ...]
    optimizers: int
    maximising: int
    schedule: Schedule
