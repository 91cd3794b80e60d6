"""The learning rate is too low: over the whole run the weights move by less than a hundredth of their size.

## Why it hurts
Nothing is learned in the time that is given; the loss falls steadily and by next to nothing.

## What is looked at
The median update-to-weight ratio of the sampled steps, times the steps taken: how far the weights can have come even if
all updates pointed the same way. Usual training moves them by about 1e-3 a step (Karpathy). It counts where a hundred
steps or more come to less than 0.01 in all, the rate was never varied to zero, and the median of the last three sampled
losses is within 5 % of the first three's.

## Remedy
Multiply the rate by ten until the loss moves; look for a clipping limit or a loss scale that shrinks the gradients.

## When it is wrong to worry
Fine-tuning moves loaded weights little on purpose: models of which any parameter was loaded are silent, as are programs
with several optimizers or losses, and short runs.

## References
Karpathy, A Recipe for Training Neural Networks, 2019, and the notes of CS231n: ratio of updates to weights, about 1e-3.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from assay.facts.loss import LossFacts
from assay.facts.model import ModelFacts
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

STEPS = 100
MOVED = 0.01
FALLEN = 0.05
SAMPLES = 7
COUNTED = 3


@rule(severity=WARNING, implied_by=("rate-zero", "scheduler-cadence", "update-lost"))
def rate_too_low(optimizers: OptimizerFacts, losses: LossFacts, models: ModelFacts) -> Iterator[Verdict]:
    """Bound the way that the weights have come, and compare the loss's ends."""
    stepped = [each for each in optimizers.optimizers if each.steps]
    values = [call.value for call in losses.calls]
    if len(stepped) != 1 or stepped[0].steps < STEPS or not stepped[0].update_ratios:
        yield NotChecked(f"it takes one optimizer with {STEPS} steps whose updates were compared")
    elif len(values) < SAMPLES or len({(call.name, call.place) for call in losses.calls}) != 1:
        yield NotChecked(f"it takes {SAMPLES} samples of one loss")
    elif any(parameter.loaded for model in models.models for parameter in model.parameters):
        yield NotChecked("weights were loaded, which may be tuned by little on purpose")
    elif all(map(math.isfinite, [*values, *stepped[0].update_ratios])):
        ratio = statistics.median(stepped[0].update_ratios)
        if 0 < ratio * stepped[0].steps < MOVED and _level(values):
            yield _finding(stepped[0], values, ratio)


def _level(values: list[float]) -> bool:
    """Whether the loss has fallen by no more than a little, or than the middle ones of three differ by chance."""
    first, last = statistics.median(values[:COUNTED]), statistics.median(values[-COUNTED:])
    return first - last <= max(FALLEN * abs(first), statistics.stdev(values) * math.sqrt(2 / COUNTED))


def _finding(optimizer: OptimizerRecord, values: list[float], ratio: float) -> Finding:
    return Finding(
        summary=f"the rate of {optimizer.kind} is too low: {optimizer.steps} steps move the weights by at most "
                f"{ratio * optimizer.steps:.1%} of their size",
        where=Where(place=optimizer.place or optimizer.step_place),
        evidence={
            "rates": [group.learning_rate for group in optimizer.groups], "median_update_ratio": ratio,
            "usual_update_ratio": 1e-3, "steps": optimizer.steps, "first_losses": values[:COUNTED],
            "last_losses": values[-COUNTED:],
        },
        fix="multiply the rate by ten until the loss moves",
    )
