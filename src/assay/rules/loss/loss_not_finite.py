"""The loss is not a number, or infinite.

## Why it hurts
One backward pass from such a loss makes every gradient it reaches not a number, and one step makes every weight so.
Nothing that is trained or measured afterwards means anything.

## What is looked at
The value at the start of every backward pass; on accelerators on the sampled steps alone, since reading a value there
makes the program wait. One such loss is a warning, since a training loop may skip that step; two or more, or one that
makes up all that was seen, are an error.

## Remedy
Look at the step before: a logarithm or a division of zero, a rate that is too large, an input that isn't finite, or
half precision without a loss scaler.

## When it is wrong to worry
A loss scaler for half precision meets overflow now and then, and skips the step.

## References
Micikevicius et al., Mixed Precision Training, 2018: overflow, and why a step is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import LossFacts
from assay.rule import ERROR, WARNING, Finding, NotChecked, Verdict, Where, rule

SKIPPED = 1
"""Losses that a loop may have skipped: a single overflow among finite values is what loss scalers live with."""


@rule(severity=ERROR)
def loss_not_finite(losses: LossFacts) -> Iterator[Verdict]:
    """Count losses that were not finite."""
    if not losses.values:
        yield NotChecked("no value of a scalar loss was read")
    first = losses.first_not_finite
    if first is None:
        return
    before = [call.value for call in losses.calls if call.step < first.step]
    yield Finding(
        summary=f"the loss is {first.value} at step {first.step}",
        severity=WARNING if losses.not_finite <= SKIPPED < losses.values else ERROR,
        where=Where(place=first.place, step=first.step),
        evidence={
            "value": first.value, "not_finite": losses.not_finite, "looked_at": losses.values,
            "last_sampled_before": before[-1] if before else None,
            "chain": first.chain.why if isinstance(first.chain, Unknown) else list(first.chain),
        },
        impact="every weight that this loss reaches becomes not a number at the next step",
        fix="look for a logarithm or division of zero, an input that isn't finite or a rate that is too large just "
            "before this step",
    )
