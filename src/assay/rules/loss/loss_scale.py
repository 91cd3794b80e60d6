"""Micro-batches are accumulated without dividing their losses.

## Why it hurts
Each backward pass adds the gradient of a mean over its micro-batch. Over k of them, without dividing by k, the step
follows k times the gradient of the batch that was meant: the rate is k times what it says, and changes with k.

## What is looked at
At sampled steps, the backward passes since the step before. It counts where at least two steps, and three quarters of
all, have several passes, all from one line, their gradients cleared once; where each loss is a mean that reaches
backward with nothing multiplied or divided; where the gradient that is stepped with isn't a fixed part of the one that
was left (a division of gradients); and where no rate in that file is a quotient. That micro-batches are meant is known
from the step, which stands under a condition of its own within the loop; without one, from at least four passes a step,
each after one pass of one model that was given one tensor.

It is a warning for SGD. Optimizers that normalise their gradients (Adam and its kin) don't feel the scale, so there it
is a note; and so it is for micro-batches of one example and losses written by hand, whose sum may be meant.

## Remedy
Divide the loss by the number of micro-batches before `backward()`.

## When it is wrong to worry
Several losses of one step (a discriminator's two, tasks, tasks of a meta-learner, parts of a long sequence) are summed
on purpose: they come from several lines, or few passes without a condition on the step, or carry a state.

## References
PyTorch documentation, Automatic Mixed Precision examples, Gradient accumulation: `loss = loss / iters_to_accumulate`.
Goyal et al. (2017), Accurate, Large Minibatch SGD, section 3.1: the rate that fits grows with the batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assay.facts.accumulation import AccumulationFacts, Interval
from assay.rule import NOTE, WARNING, Finding, Verdict, Where, rule

FEELS_SCALE = frozenset({"SGD", "ASGD"})

STEPS, SHARE = 2, 0.75
"""Steps that must accumulate, and their share: the last of an epoch may have fewer micro-batches."""

MANY = 4
"""Passes a step that are micro-batches even where nothing in the source says so; two or three may be losses."""

SAME = 1e-3
"""Spread of a ratio that is one fixed factor: rounding in single precision, with room."""


@rule(severity=WARNING)
def loss_scale(accumulation: AccumulationFacts) -> Iterator[Verdict]:
    """Look at each optimizer's intervals that hold several backward passes."""
    intervals = sorted(accumulation.intervals, key=lambda each: each.optimizer)
    for _, group in groupby(intervals, key=lambda each: each.optimizer):
        found = list(group)
        several = [each for each in found if each.passes > 1]
        often = len(several) >= STEPS and len(several) >= SHARE * len(found)
        undivided = all(map(_undivided, several)) and not _gradients_scaled(several)
        if often and undivided and (_meant(several) or _form(several)):
            yield _finding(several)


def _undivided(each: Interval) -> bool:
    return (
        each.place is not None and each.unscaled == each.passes and each.cleared <= 1 and each.losses <= 1
        and not each.rate_divided
    )


def _gradients_scaled(several: list[Interval]) -> bool:
    ratios = [each.ratio for each in several if each.ratio is not None]
    return bool(ratios) and max(ratios) < 1 - SAME and max(ratios) - min(ratios) < SAME


def _meant(several: list[Interval]) -> bool:
    return all(each.guarded for each in several)


def _form(several: list[Interval]) -> bool:
    return all(
        each.passes >= MANY and each.forward == each.passes and each.forward_tensors == 1 for each in several
    )


def _finding(several: list[Interval]) -> Finding:
    most = max(several, key=lambda each: each.passes)
    certain = all(each.rows is not None and each.rows > 1 for each in several)
    loud = most.kind in FEELS_SCALE and certain
    return Finding(
        summary=f"{most.passes} micro-batches are accumulated, and none of their losses is divided",
        where=Where(place=most.place, step=most.step), severity=WARNING if loud else NOTE,
        evidence={"backward_passes_per_step": [each.passes for each in several], "optimizer": most.kind,
                  "smallest_micro_batch": most.rows},
        impact=f"the step is {most.passes} times what the learning rate says" if loud else None,
        fix=f"divide the loss by the number of micro-batches ({most.passes}) before backward()",
    )
