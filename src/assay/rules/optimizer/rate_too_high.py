"""The learning rate is too high: steps are as large as the weights, and the loss ends above where it began.

## Why it hurts
Each step jumps over what it aims for. The loss explodes, becomes NaN, or settles at a level that a constant prediction
would reach.

## What is looked at
The update-to-weight ratio at the sampled steps, its median, and the sampled losses of a program with one optimizer
whose losses all come from one line. A ratio near 1e-3 is what training usually shows (Karpathy); small networks under
Adam train well at a hundred times that, so the ratio alone says nothing. It counts where the median is at least 0.03
and the loss has become NaN or infinite after having risen to ten times its first value; or where the loss has been at
ten times its first value, and the last three samples are all above it.

## Remedy
Divide the rate by ten until the loss falls; warm up.

## When it is wrong to worry
The first steps of a warm-up, zero-initialised layers (a ratio over small weights) and spikes from which the loss
recovers are silent, and so are losses that may rise by nature: several optimizers, several losses, negative values.

## References
Karpathy, A Recipe for Training Neural Networks, 2019, and the notes of CS231n: ratio of updates to weights, about 1e-3.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from assay.facts.loss import LossCall, LossFacts
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

RATIO = 0.03
EXPLODED = 10.0
LAST = 3
SAMPLES = 7


@rule(severity=WARNING)
def rate_too_high(optimizers: OptimizerFacts, losses: LossFacts) -> Iterator[Verdict]:
    """Compare the size of updates, and the course of the loss."""
    stepped = [each for each in optimizers.optimizers if each.steps]
    calls = _main_line(losses.calls)
    if len(stepped) != 1 or not stepped[0].update_ratios:
        yield NotChecked("it takes one optimizer whose updates were compared")
    elif len(calls) < SAMPLES or any(call.value < 0 for call in calls):
        yield NotChecked(f"it takes {SAMPLES} samples of one loss that is never negative")
    elif _median(stepped[0].update_ratios) >= RATIO and (why := _ruined([call.value for call in calls], losses)):
        yield _finding(stepped[0], calls, why)


def _main_line(calls: tuple[LossCall, ...]) -> list[LossCall]:
    """The calls, if all come from one line."""
    return list(calls) if len({(call.name, call.place) for call in calls}) == 1 else []


def _median(ratios: tuple[float, ...]) -> float:
    return statistics.median(ratio if math.isfinite(ratio) else math.inf for ratio in ratios)


def _ruined(values: list[float], losses: LossFacts) -> str | None:
    first, finite = values[0], [value for value in values if math.isfinite(value)]
    if not math.isfinite(first) or max(finite) < EXPLODED * first:
        return None
    if losses.not_finite:
        return "the loss exploded and is no longer finite"
    return "the loss exploded and stays above where it began" if min(values[-LAST:]) > first else None


def _finding(optimizer: OptimizerRecord, calls: list[LossCall], why: str) -> Finding:
    rates = [group.learning_rate for group in optimizer.groups]
    return Finding(
        summary=f"the rate of {optimizer.kind} is too high: {why}",
        where=Where(place=optimizer.place or optimizer.step_place),
        evidence={
            "rates": rates, "median_update_ratio": _median(optimizer.update_ratios), "usual_update_ratio": 1e-3,
            "losses": [call.value for call in calls][:16],
        },
        fix="divide the rate by ten until the loss falls, and warm up",
    )
