"""Half precision without a gradient scaler, or with one that is passed by.

## Why it hurts
Small gradients are zero in float16. The scaler multiplies the loss so that they aren't, and divides them again before
the step. A backward pass on the loss itself gets no scaling and is divided nevertheless, so that steps are thousands of
times too small; a step taken without the scaler uses gradients that are thousands of times too large.

## What is looked at
On sampled steps: whether the loss that a backward pass starts from is one that an enabled scaler has scaled, in a
program whose steps the scaler takes; whether the optimizer steps within the scaler's step, or after unscaling; and
training passes under float16 autocast in a program without a scaler. Each counts from three times, the first two where
they hold for nine tenths of what was looked at.

## Remedy
`scaler.scale(loss).backward()`, `scaler.step(optimizer)`, `scaler.update()`; or use bfloat16, which needs no scaler.

## When it is wrong to worry
bfloat16, disabled scalers, evaluation in half precision, and losses that the program multiplies by a factor of its own
are silent.

## References
PyTorch documentation, Automatic Mixed Precision examples. Micikevicius et al., Mixed Precision Training, 2018.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.precision import PrecisionFacts
from assay.rule import ERROR, WARNING, Finding, Verdict, Where, rule

TIMES = 3
SHARE = 0.9


@rule(severity=ERROR)
def scaler_misused(precision: PrecisionFacts) -> Iterator[Verdict]:
    """Count losses that were not scaled, and steps that were not the scaler's."""
    seen = precision
    if seen.scaler_steps and seen.unscaled >= TIMES and seen.unscaled >= SHARE * seen.backwards:
        yield Finding(
            summary="the backward pass starts from a loss that the scaler has not scaled, and the scaler steps",
            where=Where(place=seen.unscaled_place),
            evidence={"backward_passes_looked_at": seen.backwards, "not_scaled": seen.unscaled},
            impact="the scaler divides the gradients by its factor all the same: steps are far too small",
            fix="call scaler.scale(loss).backward()",
        )
    if seen.direct >= TIMES and seen.direct >= SHARE * seen.steps:
        yield Finding(
            summary="the optimizer steps with gradients that still carry the gradient scaler's factor",
            where=Where(place=seen.direct_place),
            evidence={"steps_looked_at": seen.steps, "without_the_scaler": seen.direct},
            impact="these gradients are thousands of times too large",
            fix="call scaler.step(optimizer) and scaler.update()",
        )
    if not seen.scalers and seen.halved >= TIMES:
        yield Finding(
            summary="the model is trained under float16 autocast without a gradient scaler",
            severity=WARNING,
            where=Where(place=seen.halved_place),
            evidence={"backward_passes_looked_at": seen.halved, "scalers": 0},
            impact="gradients below 6e-8 are zero",
            fix="use torch.amp.GradScaler, or autocast to bfloat16",
        )
