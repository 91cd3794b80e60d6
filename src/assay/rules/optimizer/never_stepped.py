"""Backward passes run and the optimizer never steps, or it steps and no backward pass ever runs.

## Why it hurts
Nothing is learned. Neither call fails without the other: the loss just stays where it began.

## What is looked at
An optimizer that took no step although backward passes left gradients other than zero at its parameters, ten of those
looked at or more where no optimizer of the program steps, eight where another does (fewer are sampled then). Or one
that took five steps or more, none of which had a gradient, in a program without a backward pass.

## Remedy
Call loss.backward(), then optimizer.step(), for each batch.

## When it is wrong to worry
Programs that compute gradients without an optimizer (saliency, adversarial examples), parameters that the program
updates by itself or that another optimizer steps, and optimizers that were made anew and forgotten are silent.

## References
PyTorch documentation, torch.optim: taking an optimization step.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.order import OrderFacts, OrderRecord
from assay.rule import ERROR, Finding, Verdict, Where, rule

ALONE, BESIDE = 10, 8
EMPTY = 5


@rule(severity=ERROR)
def never_stepped(order: OrderFacts) -> Iterator[Verdict]:
    """Look for gradients without steps and steps without gradients."""
    needed = BESIDE if any(each.steps for each in order.optimizers) else ALONE
    for each in order.optimizers:
        if not each.steps and each.fed >= needed and not each.by_hand:
            yield _unused(each)
        elif each.seen >= EMPTY and each.empty == each.seen and not order.backwards:
            yield _empty(each)


def _unused(each: OrderRecord) -> Finding:
    return Finding(
        summary=f"{each.kind} never steps, although backward passes fill the gradients of its parameters",
        where=Where(place=each.place),
        evidence={"backward_passes_looked_at": each.fed, "steps": 0},
        impact="its parameters keep their initial values",
        fix="call its step() after the backward pass",
    )


def _empty(each: OrderRecord) -> Finding:
    return Finding(
        summary=f"{each.kind} steps, and no backward pass ever runs",
        where=Where(place=each.step_place or each.place),
        evidence={"steps": each.steps, "looked_at": each.seen, "without_gradients": each.empty, "backward_passes": 0},
        impact="the steps change nothing",
        fix="call loss.backward() before the step",
    )
