"""Gradients are there and the rate is not zero, yet the weights stay the same.

## Why it hurts
Nothing is learned, and neither the loss nor the gradients say why. In half precision an update smaller than about a
thousandth of a weight is rounded away; a step that was replaced or skipped does nothing at all.

## What is looked at
On sampled steps the weights before and after. An update is lost where the gradients' norm and all rates are above zero
and not one number of one parameter changed. It counts where this holds for every compared step, and for three at least,
so that a loss scaler's skipped step or a gradient that has reached zero is no finding.

## Remedy
Keep 32-bit master weights (autocast rather than half-precision parameters), or raise the rate.

## When it is wrong to worry
Sparse gradients change few rows; one changed number is enough to be silent. Where training has converged to the last
bit nothing moves either, but then the first steps did.

## References
Zamirai et al., Revisiting BFloat16 Training, 2020: updates lost to rounding. PyTorch issue 115607: a step that did
nothing after compilation.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.optimizer import OptimizerFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

STEPS = 3


@rule(severity=ERROR)
def update_lost(optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Count the sampled steps that changed nothing."""
    if all(each.updates_compared < STEPS for each in optimizers.optimizers):
        yield NotChecked(f"fewer than {STEPS} steps with gradients and a rate were compared")
    for each in optimizers.optimizers:
        if each.updates_lost >= STEPS and each.updates_lost == each.updates_compared:
            halved = any(name in ("float16", "bfloat16") for name in each.precision)
            yield Finding(
                summary=f"{each.kind} steps without changing a single weight",
                where=Where(place=each.step_place or each.place),
                evidence={
                    "steps_compared": each.updates_compared, "steps_lost": each.updates_lost,
                    "gradient_norms": list(each.gradient_norms), "precision": list(each.precision),
                    "rates": [group.learning_rate for group in each.groups],
                },
                impact="nothing is learned",
                fix="keep the parameters in float32 and use autocast: these updates are rounded away" if halved
                    else "check what the step does: it runs with gradients and a rate, and leaves the weights as they "
                         "are",
            )
