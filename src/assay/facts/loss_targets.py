"""Facts about what losses over classes and probabilities are given: targets, weights, axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place, Schedule

AxisFault = Literal["last", "mixed", "viewed", "batch"]


@dataclass(frozen=True, kw_only=True)
class LossTarget:
    """One call of a loss at a sampled step.

    name            torch.nn.functional's name
    classes         size of the axis that the loss takes for the classes, None without one
    shape           of the loss's input
    value           the loss, None where it isn't a single number
    labels          targets that are ids, those to be ignored included; `ignored` how many of these are
    ignore_index    the loss's, None where targets aren't ids
    counts          how often each class is a target, the ignored left out; None for more than 1024 classes
    ignored_share   the share of targets that are the class ignore_index; None where it is no class
    single          the loss's input is what a model gave, one row of scores and one label an example
    scattered       of several labels an example, most rows have ignored ones both before and behind others, whichever
                    axis is taken for the steps: no filler at ends
    weights         of the classes, or the weight of positives against negatives
    positives       share of targets at 1, for losses over probabilities
    whole_outside   whole-number targets outside [0, 1] where all targets are whole numbers, for losses over
                    probabilities: smallest and largest
    several         share of rows of a target of zeros and ones that hold more than one 1, for losses over classes
    swapped         the input is zeros and ones without a gradient, the target has one
    axis            classes seem to lie along another axis than the loss takes: the last of equally long ones ("last"),
                    mixed with positions by a reshape to rows ("mixed") or to [n, C, ...] ("viewed"), normalised over
                    the batch ("batch")
    squashed_alone  the input is a softmax over a single score
    blanks          of a CTC loss, how many of its targets are the blank
    """

    name: str
    place: Place | None
    step: int
    classes: int | None = None
    shape: tuple[int, ...] = ()
    value: float | None = None
    labels: int = 0
    ignored: int = 0
    ignore_index: int | None = None
    counts: tuple[int, ...] | None = None
    ignored_share: float | None = None
    single: bool = False
    scattered: bool = False
    weights: tuple[float, ...] | None = None
    positives: float | None = None
    whole_outside: tuple[float, float] | None = None
    several: float | None = None
    swapped: bool = False
    axis: AxisFault | None = None
    squashed_alone: bool = False
    blanks: int | None = None


@dataclass(frozen=True, kw_only=True)
class LossTargetFacts(Fact):
    """The sampled calls of such losses whose values have a graph."""

    calls: tuple[LossTarget, ...]
    schedule: Schedule
