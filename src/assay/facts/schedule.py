"""Facts about learning rates: what each optimizer stepped with, and how often its schedulers were stepped."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class RateRecord:
    """The rate of one optimizer, step by step: the largest of its groups.

    steps               steps taken
    start, last         at the first and the last step
    peak                the largest so far
    zero                steps whose rate was zero or below, `negative` those below
    lively, alive       the number of steps up to the last one above a tenth, above a thousandth of the peak
    """

    kind: str
    place: Place | None
    step_place: Place | None
    steps: int
    start: float
    last: float
    peak: float
    zero: int = 0
    negative: int = 0
    lively: int = 0
    alive: int = 0


@dataclass(frozen=True, kw_only=True)
class SchedulerRecord:
    """One scheduler of PyTorch's kinds.

    kind            its class; `base` is the class of PyTorch that it is or derives from
    place           the line that made it
    step_place      the line that steps it; None where a library does
    optimizer       the rate record of its optimizer, None where that took no step
    steps           how often it was stepped
    every           those before which the optimizer had stepped exactly once since the one before
    waited          steps of its optimizer since it was made
    early           it was stepped once before the optimizer had, and from then on at the same line
    horizon         how many steps it was made for (T_max, total_steps, step_size, last milestone), None if it has none
    target          the rate that it was made to vary: its optimizer's when it was made
    part            it is part of another scheduler, which steps it
    """

    kind: str
    base: str
    place: Place | None
    step_place: Place | None
    optimizer: RateRecord | None
    steps: int
    every: int
    waited: int
    early: bool
    horizon: int | None
    target: float
    part: bool


@dataclass(frozen=True, kw_only=True)
class ScheduleFacts(Fact):
    """Rates and schedulers, in the order of their making.

    rounds      how often the program began anew with its data after steps had been taken (passes over a DataLoader, or
                evaluations where it has none): mostly epochs. None where it does neither
    scaled      a gradient scaler is used, which may skip an optimizer's first steps
    """

    rates: tuple[RateRecord, ...]
    schedulers: tuple[SchedulerRecord, ...]
    rounds: int | None
    scaled: bool
