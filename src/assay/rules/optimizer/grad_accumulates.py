"""Gradients are not cleared between steps.

## Why it hurts
backward() adds to the gradients that are there. Each step then follows the sum of all gradients since the start: at a
small rate it looks like an odd momentum, at a larger one the loss falls, swings and explodes.

## What is looked at
For a few parameters of each optimizer, the gradient right after a step and at every start of a backward pass until the
next step: the same tensor, with no write to it and values other than zero, at all of these is one that was carried
over. It counts where this holds for at least three steps and at least half of all compared; three, since two alike may
be chance in a program that clears now and then, half, since the forgotten call is missing on every step. Where some of
them are carried over and others cleared, the call is there and reaches only a part of what the optimizer holds.

## Remedy
Call `optimizer.zero_grad()` once per step, before the backward pass.

## When it is wrong to worry
Gradient accumulation clears once per step and stays silent however many backward passes that has; so do closures,
generators whose loss passes through another network, and gradients that are scaled rather than cleared.

## References
PyTorch tutorial, Zeroing out gradients. The fault as reported: Stack Overflow 60335387.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

STEPS = 3
SHARE = 0.5


@rule(severity=ERROR)
def grad_accumulates(optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Count the steps to which gradients of the step before were carried over."""
    for each in optimizers.optimizers:
        if isinstance(each.compared, Unknown):
            if each.steps:
                yield NotChecked(each.compared.why)
        elif each.not_cleared >= STEPS and each.not_cleared >= SHARE * each.compared:
            yield _carried(each, each.not_cleared, "gradients are never cleared")
        elif each.partly_cleared >= STEPS and each.partly_cleared >= SHARE * each.compared:
            yield _carried(each, each.partly_cleared, "the gradients of some parameters are never cleared")


def _carried(each: OptimizerRecord, times: int, what: str) -> Finding:
    return Finding(
        summary=f"{what}: each step of {each.kind} adds to those of the steps before",
        where=Where(place=each.backward_place or each.step_place or each.place),
        evidence={
            "steps_compared": each.compared, "carried_over": times, "first_gradient_norms": list(each.gradient_norms),
        },
        impact="each step follows the sum of all gradients so far",
        fix="call optimizer.zero_grad() before this backward pass",
    )
