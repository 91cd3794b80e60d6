"""The loss stalls at a level that has a known cause, and the level names it.

## Why it hurts
A loss that stands still at log(1 + (C - 1)/e) is one whose softmax is applied twice; one at the labels' entropy or the
targets' variance comes from a prediction that is the same for every input. Accuracy may look right in the first case,
and the curve looks settled in both.

## What is looked at
The training loss of each run (by epoch; in short runs as logged within epochs), and the loss of the best attempt at
memorising a batch, against the known floors. Three things must hold over the last third, of six points or more:

- level: the means of its two halves differ by no more than a fifth of the tolerance, or than three standard errors of
  that difference, but never by more than half the tolerance (a curve that passes through a floor is still falling);
- near: its mean lies within the tolerance of the floor. For one batch it is the tolerance of memorising (0.05 nats);
  for a run it is 2 % of the floor, since over a whole set, of which some examples stay unsure, the loss settles a
  little above it (0.2 % with a doubled softmax on 1,797 images of digits after 40 epochs);
- or near it with the examples counted that are stuck on a wrong answer, where at least three quarters of the batch
  are answered right (below that, the sum could be met by a model that has learned nothing);
- high: for one batch the floor lies more than twice the tolerance above what the loss could reach.

## Remedy
Mend what the floor names.

## When it is wrong to worry
Labels that inputs say nothing about, on purpose: their entropy is then all that can be reached.

## References
The floors follow from the losses' definitions; each is given with its formula.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

from assay.facts.overfit import Floor, OverfitFacts
from assay.facts.training import CurveFacts
from assay.rule import ERROR, Evidence, Finding, NotChecked, Verdict, rule

FEWEST = 6  # points in the last third: three in each half
MOSTLY_RIGHT = 0.75  # of one batch
SHARE = 0.02  # of a floor, for the training loss of a run


@rule(severity=ERROR, implied_by=(
    "loss-on-probabilities", "loss-broadcast", "params-not-optimised", "update-lost", "constant-output",
    "input-ignored",
))
def plateau_at_floor(curves: CurveFacts | None, overfit: OverfitFacts | None) -> Iterator[Verdict]:
    """Look at the last third of each training loss, and of the best attempt at memorising."""
    looked = overfit is not None and bool(overfit.attempts) and _memorised(overfit)
    for name, values, floors in (*_of_runs(curves), *_of_attempt(overfit)):
        last = values[-(len(values) // 3):] if len(values) >= 3 * FEWEST else ()
        if not last or not all(math.isfinite(value) for value in last):
            continue
        looked = True
        met = [(floor, tolerance) for floor, tolerance in floors if _stands_at(last, floor, tolerance)]
        if met:
            floor, _ = min(met, key=lambda pair: abs(pair[0].value - statistics.fmean(last)))
            yield _finding(name, last, floor)
    if not looked:
        yield NotChecked(f"no training loss with {3 * FEWEST} finite points or more, or no known floor")


Watched = tuple[str, Sequence[float], list[tuple[Floor, float]]]
"""What the values are of, the values, and the floors with their tolerances."""


def _of_runs(curves: CurveFacts | None) -> Iterator[Watched]:
    if curves is None or not curves.floors:
        return
    floors = [(floor, SHARE * abs(floor.value)) for floor in curves.floors]
    for run in dict.fromkeys(curve.run for curve in curves.curves):
        named = {curve.name: curve.values for curve in curves.curves if curve.run == run}
        by_epoch, by_step = named.get("train_loss", ()), named.get("train_loss_step", ())
        yield f"the training loss of {run}", by_epoch if len(by_epoch) >= 3 * FEWEST else by_step, floors


def _of_attempt(overfit: OverfitFacts | None) -> Iterator[Watched]:
    if overfit is None or not overfit.attempts or not overfit.floors or _memorised(overfit):
        return
    accuracy = overfit.best.accuracy
    wrong = 1 - accuracy if accuracy is not None and accuracy >= MOSTLY_RIGHT else 0.0
    floors = {each.value: each for floor in overfit.floors for each in (floor, floor.with_wrong(wrong))}.values()
    high = [floor for floor in floors if floor.value > overfit.target + 2 * overfit.tolerance]
    yield (
        f"the loss of {overfit.rows} examples that should be memorised", overfit.best.losses,
        [(floor, overfit.tolerance) for floor in high],
    )


def _memorised(overfit: OverfitFacts) -> bool:
    return overfit.best.final <= overfit.target + overfit.tolerance


def _stands_at(last: Sequence[float], floor: Floor, tolerance: float) -> bool:
    half = len(last) // 2
    early, late = last[:half], last[half:]
    fall = abs(statistics.fmean(early) - statistics.fmean(late))
    noise = math.sqrt(statistics.variance(early) / len(early) + statistics.variance(late) / len(late))
    level = fall <= max(0.2 * tolerance, min(3 * noise, 0.5 * tolerance))
    return level and abs(statistics.fmean(last) - floor.value) <= tolerance


def _finding(name: str, last: Sequence[float], floor: Floor) -> Finding:
    mean = statistics.fmean(last)
    evidence: Evidence = {
        "level": mean, "floor": floor.value, "formula": floor.formula, "cause": floor.cause, "points": len(last),
        "first_of_last_third": last[0], "last": last[-1],
    }
    return Finding(
        summary=f"{name} stalls at {mean:.4f}, the floor {floor.value:.4f} = {floor.formula}: {floor.cause}",
        evidence=evidence, impact=f"the loss can't fall below {floor.value:.4f}",
        fix=f"mend the cause: {floor.cause}",
    )
