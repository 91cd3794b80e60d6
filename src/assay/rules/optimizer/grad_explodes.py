"""Gradients leap by orders of magnitude, and the loss is ruined.

## Why it hurts
One step many times larger than the rest undoes all that was learned, and what comes after starts from a place that no
initialisation would choose.

## What is looked at
The norm of all gradients at the sampled steps, five at least: a thousand times its median at one of them, in a program
with one optimizer whose loss is no longer finite, or whose last three sampled losses are all above the first.

## Remedy
Clip the norm, lower the rate, use normalisation or an initialisation that keeps the scale.

## When it is wrong to worry
Leaps that clipping catches are a note, and so are leaps from which the loss recovers: no finding. Losses that may rise
by nature (several optimizers, negative values) aren't judged by their course.

## References
Pascanu et al., On the difficulty of training recurrent neural networks, 2013.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from assay.facts.clipping import ClippingFacts
from assay.facts.loss import LossFacts
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.rule import NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

LOOKS = 5
LEAP = 1e3
LAST = 3


@rule(severity=WARNING, implied_by=("rate-too-high", "grad-accumulates"))
def grad_explodes(
    optimizers: OptimizerFacts, losses: LossFacts | None, clipping: ClippingFacts | None,
) -> Iterator[Verdict]:
    """Compare gradients along the steps."""
    looked = [each for each in optimizers.optimizers if len(each.gradient_norms) >= LOOKS]
    if len(looked) != 1 or losses is None:
        yield NotChecked(f"it takes one optimizer that was looked at for {LOOKS} steps, and its losses")
        return
    finite = [norm for norm in looked[0].gradient_norms if math.isfinite(norm)]
    usual = statistics.median(finite) if finite else 0.0
    if usual > 0 and max(finite) >= LEAP * usual and _ruined(losses):
        yield _finding(looked[0], usual, quiet=clipping is not None)


def _ruined(losses: LossFacts) -> bool:
    values = [call.value for call in losses.calls]
    if len({(call.name, call.place) for call in losses.calls}) != 1 or min(values) < 0:
        return False
    return bool(losses.not_finite) or (len(values) > LAST and min(values[-LAST:]) > values[0])


def _finding(optimizer: OptimizerRecord, usual: float, *, quiet: bool) -> Finding:
    return Finding(
        summary="gradients leap to a thousand times their usual norm, and the loss is ruined",
        severity=NOTE if quiet else WARNING,
        where=Where(place=optimizer.step_place or optimizer.place),
        evidence={"norms": list(optimizer.gradient_norms), "usual_norm": usual},
        fix="clip the norm of the gradients, and look for what is special about the batch before the leap",
    )
