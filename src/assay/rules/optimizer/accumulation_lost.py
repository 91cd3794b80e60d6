"""Gradients are cleared before every micro-batch, though a step comes only after several.

## Why it hurts
Only the last micro-batch before each step counts. The others are computed and thrown away: an epoch costs as much and
learns from a fraction of the data, with the noise of a small batch at the rate of a large one.

## What is looked at
At sampled steps, the backward passes since the step before: several, all from one line, and before each of them the
gradients of this optimizer had been cleared (on one small parameter, known from its first step on). What was left by
the last pass must be what is stepped with, clipped perhaps. At least three steps and three quarters of all must be so:
a line search or a skipped step may do it now and then.

## Remedy
Clear once per step: move `optimizer.zero_grad()` next to `optimizer.step()`.

## When it is wrong to worry
Adversarial examples, penalties and generators leave gradients that must be cleared: those come from other lines. For
each example's gradient taken and set aside (differential privacy), what is stepped with is another gradient. Closures,
which clear each time by design, aren't looked at.

## References
PyTorch documentation, Automatic Mixed Precision examples, Gradient accumulation: zero_grad stands beside step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assay.facts.accumulation import AccumulationFacts, Interval
from assay.rule import ERROR, Finding, Verdict, Where, rule

STEPS, SHARE = 3, 0.75


@rule(severity=ERROR)
def accumulation_lost(accumulation: AccumulationFacts) -> Iterator[Verdict]:
    """Look at each optimizer's intervals that hold several backward passes."""
    intervals = sorted(accumulation.intervals, key=lambda each: each.optimizer)
    for _, group in groupby(intervals, key=lambda each: each.optimizer):
        found = list(group)[1:]  # what was cleared before the first step isn't known
        lost = [each for each in found if _lost(each)]
        if len(lost) >= STEPS and len(lost) >= SHARE * len(found):
            yield _finding(lost)


def _lost(each: Interval) -> bool:
    return each.passes > 1 and each.place is not None and each.cleared == each.passes and each.ratio is not None


def _finding(lost: list[Interval]) -> Finding:
    most = max(lost, key=lambda each: each.passes)
    return Finding(
        summary=f"gradients are cleared before each of {most.passes} backward passes a step: all but the last are lost",
        where=Where(place=most.place, step=most.step),
        evidence={"backward_passes_per_step": [each.passes for each in lost], "steps": len(lost)},
        impact=f"{most.passes - 1} of {most.passes} micro-batches count for nothing",
        fix="call zero_grad() once per step, beside step()",
    )
