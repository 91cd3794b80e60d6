"""Training diverged: the loss became NaN or infinite, or ended far above where it started.

## Why it hurts
Weights that have blown up don't come back. What runs after that costs time, and a "best" checkpoint from before is
chosen from a handful of steps.

## What is looked at
Every loss of every run for values that aren't finite, and the training loss for an explosion: nine in ten values of
its last third above twice what an uninformed prediction gets. No sound training is worse than that for a third of its
length; a validation loss may be, by overfitting, and isn't asked. Uninformed is the first value, or the level of a
constant prediction where that is known and higher: the loss of one small batch may be low by luck, and single batches
scatter so widely that a median would find what nine in ten don't show.

## Remedy
Lower the rate by ten, warm it up, clip gradients at norm 1; look for unscaled inputs, a log or a division near zero,
and half precision without a scaler.

## When it is wrong to worry
A loss whose weights grow on purpose (an annealed penalty), or an adversarial one, which need not fall.

## References
Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 11.4.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

from assay.facts.overfit import Floor
from assay.facts.training import Curve, CurveFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

EXPLODED = 2.0  # times the loss of an uninformed prediction
MOST = 0.9  # of the last third
FEWEST = 6  # points, so that a third of them is more than one


@rule(severity=ERROR, implied_by=("loss-not-finite",))
def diverged(curves: CurveFacts) -> Iterator[Verdict]:
    """Look at each run's losses; one finding a run."""
    losses = [curve for curve in curves.curves if curve.values and "loss" in curve.name]
    if not losses:
        yield NotChecked("no loss was logged")
        return
    told: set[str] = set()
    for curve in losses:
        if curve.run not in told and (finding := _not_finite(curve) or _exploded(curve, curves.floors)):
            told.add(curve.run)
            yield finding


def _not_finite(curve: Curve) -> Finding | None:
    step = curve.not_finite_at
    if step is None:
        return None
    at = curve.steps.index(step)
    return Finding(
        summary=f"{curve.name} of {curve.run} is {curve.values[at]} at step {step}",
        where=Where(step=step),
        evidence={"run": curve.run, "curve": curve.name, "steps": list(curve.steps[max(at - 4, 0): at + 1]),
                  "values": list(curve.values[max(at - 4, 0): at + 1])},
        fix="lower the rate by ten, warm it up or clip gradients; look for a log or a division near zero",
    )


def _exploded(curve: Curve, floors: Sequence[Floor]) -> Finding | None:
    first, values = curve.values[0], curve.values
    if "val" in curve.name or len(values) < FEWEST or first <= 0:
        return None
    uninformed = max(first, *(floor.value for floor in floors)) if floors else first
    last = values[-(len(values) // 3):]
    if not all(map(math.isfinite, last)) or sum(v > EXPLODED * uninformed for v in last) < MOST * len(last):
        return None
    level = statistics.median(last)
    return Finding(
        summary=f"{curve.name} of {curve.run} ended at {level:.3g}, far above its first value of {first:.3g}",
        where=Where(step=curve.steps[-1]),
        evidence={"run": curve.run, "curve": curve.name, "first": first, "uninformed": uninformed,
                  "median_of_last_third": level, "largest": max(values)},
        fix="lower the rate by ten, warm it up or clip gradients at norm 1",
    )
