"""The first loss is far from what an uninformed prediction gets.

## Why it hurts
A fresh network knows nothing, so its first loss is known: log C for C classes, log 2 for binary labels, the targets'
variance for squared error. Far above it, initial outputs are too large (inputs unscaled, initialisation too wide); far
below it, the labels are in the inputs, or the loss isn't what it is taken for.

## What is looked at
The first plain call of the loss, with the mean taken, no weights and no smoothing. Logits of variance s² put the
expected cross entropy s²/2 above log C, and s is 1 at most by the usual initialisations, so half a nat is allowed
above, and three standard errors over the batch for a spread of one. Below, the labels' entropy is what the best
constant prediction gets, and a head whose bias starts at the class frequencies begins there. Squared error may lie
between half and twice the variance, since fresh outputs have at most the targets' spread, and again three standard
errors, of a variance here: sqrt(2/n).

## Remedy
Standardise the inputs, use the framework's initialisation, and check that labels and classes are what you think.

## When it is wrong to worry
Pretrained heads and restored checkpoints begin lower. A watch can't tell these apart and doesn't know the task, so
there it is a note; a run knows its own network and warns.

## References
Karpathy, A Recipe for Training Neural Networks, 2019: verify loss at init. Glorot and Bengio, 2010, for the variances.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from assay.facts.loss import LossCall, LossFacts
from assay.facts.task import TaskFacts
from assay.rule import NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

ABOVE = 0.5
"""Nats above log C that logits of variance one cost: s²/2."""

DEVIATIONS = 3
"""Standard errors over the batch."""

TIMES = 2.0
"""Times the variance that fresh outputs may make of the squared error, either way."""


@dataclass(frozen=True)
class Expected:
    """What an uninformed prediction gets, as a value and a formula, and the range that passes."""

    value: float
    formula: str
    low: float
    high: float


@rule(severity=WARNING, implied_by=("loss-on-probabilities", "loss-broadcast", "loss-not-finite"))
def initial_loss(losses: LossFacts, task: TaskFacts | None) -> Iterator[Verdict]:
    """Compare the loss at step 0 with its expectation."""
    first = next((call for call in losses.calls if call.step == 0 and not call.weighted), None)
    expected = _expected(first, task) if first is not None else None
    if first is None or expected is None:
        yield NotApplicable("no plain loss with a known expectation reached a backward pass at the first step")
        return
    if not expected.low <= first.value <= expected.high:
        yield _far(first, expected, known=task is not None)


def _expected(call: LossCall, task: TaskFacts | None) -> Expected | None:
    if not call.input_shape:
        return None
    examples = max(1, math.prod(call.input_shape) // (call.classes or 1))
    error = DEVIATIONS / math.sqrt(examples)
    classes, entropy = call.classes or 0, call.label_entropy
    if call.name == "cross_entropy" and classes > 1 and entropy is not None:
        return _classes(classes, f"log {classes}", _entropy(entropy, task), error)
    if call.name == "binary_cross_entropy_with_logits" and call.target_range in ((0.0, 1.0), (0.0, 0.0), (1.0, 1.0)):
        return _classes(2, "log 2", _entropy(math.log(2), task), error)
    variance = task.target_variance if task and task.target_variance else call.target_variance
    if call.name == "mse_loss" and variance:
        relative = DEVIATIONS * math.sqrt(2 / examples)
        low, high = variance * max(0.0, 1 / TIMES - relative), variance * (TIMES + relative)
        return Expected(variance, "the targets' variance", low, high)
    return None


def _classes(classes: int, formula: str, entropy: float, error: float) -> Expected:
    value = math.log(classes)
    return Expected(value, formula, min(entropy, value) - error, value + ABOVE + error)


def _entropy(of_batch: float, task: TaskFacts | None) -> float:
    """Where the loss may begin at the least: below log C only if the head knows the class frequencies."""
    if task is None:
        return of_batch
    return task.label_entropy if task.prior_bias and task.label_entropy is not None else math.inf


def _far(call: LossCall, expected: Expected, *, known: bool) -> Finding:
    high = call.value > expected.high
    return Finding(
        summary=f"the first loss is {call.value:.3g}, where an uninformed prediction gets "
                f"{expected.value:.3g} = {expected.formula}",
        severity=WARNING if known else NOTE,
        where=Where(place=call.place, step=call.step),
        evidence={"first_loss": call.value, "expected": expected.value, "formula": expected.formula,
                  "passes": [expected.low, expected.high], "input_range": call.input_range},
        impact="the first steps go into undoing the initial outputs" if high else None,
        fix="standardise the inputs and check the initialisation of the last layer" if high
            else "check that the labels are not among the inputs, and that the loss is the one you mean",
    )
