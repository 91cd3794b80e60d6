"""The model fits a batch as well without its inputs: zeroed inputs give the same loss.

## Why it hurts
What the network learned then comes from the labels' frequencies alone. The loss falls from its first value to the
labels' entropy, which looks like learning, and stays there.

## What is looked at
A model fitted to one batch for some steps, in evaluation mode, on that batch as it is and with every input set to
zero. If no example's loss moves by more than a ten-thousandth of the first loss, the inputs aren't used: single
precision rounds at 6e-8 of a value, and a used input moves losses by a sizeable part of them.

If they move, but the fit came to less than a tenth below what a constant prediction gives (the labels' entropy, the
targets' variance), zeroed inputs must do worse by two standard errors of the examples' paired differences, or there
was nothing yet that zeroing could take away, and the rule can't look.

## Remedy
Follow one input through forward: is it overwritten, detached, multiplied by zero, scaled away, or fed to a branch
whose output isn't used? Is the batch unpacked in the right order?

## When it is wrong to worry
Data in which inputs say nothing about labels can still be memorised, so that even pure noise stays silent here.

## References
Karpathy, "A recipe for training neural networks", 2019: "input-independent baseline".
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.interventions import InputUse, ZeroedInputs
from assay.facts.task import TaskFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

ROUNDING = 1e-4  # of the first loss
LEARNED = 0.9  # of a constant prediction's loss: above it nothing was learned from the inputs
ERRORS = 2.0  # standard errors of the paired difference


@rule(severity=ERROR, implied_by=("constant-output", "loss-not-finite", "params-not-optimised", "update-lost"))
def input_ignored(
    zeroed: ZeroedInputs | None, task: TaskFacts | None, use: InputUse | None,
) -> Iterator[Verdict]:
    """Compare the losses on real and on zeroed inputs, or the outputs on real ones and on others."""
    if use is not None and not use.moves:
        yield _watched(use)
    elif zeroed is None:
        if use is None:
            yield NotChecked("no trained model was tried on other inputs")
    elif not math.isfinite(zeroed.loss) or not math.isfinite(zeroed.zeroed_loss):
        yield NotChecked("the loss is not finite")
    elif zeroed.largest_difference <= ROUNDING * abs(zeroed.initial_loss):
        yield _finding(zeroed)
    elif zeroed.loss > LEARNED * _constant_loss(zeroed, task):
        worse = zeroed.zeroed_loss - zeroed.loss
        if worse < ERRORS * zeroed.standard_error:
            yield NotChecked(
                f"{zeroed.steps} steps on one batch brought the loss from {zeroed.initial_loss:.3g} to "
                f"{zeroed.loss:.3g}, about what a constant prediction gives: too little for zeroed inputs to show"
            )


def _constant_loss(zeroed: ZeroedInputs, task: TaskFacts | None) -> float:
    known = (task.label_entropy, task.target_variance) if task else ()
    return min([zeroed.initial_loss, *(value for value in known if value is not None)])


def _finding(zeroed: ZeroedInputs) -> Finding:
    return Finding(
        summary=f"zeroed inputs give the same loss: {zeroed.zeroed_loss:.4g}, {zeroed.loss:.4g} on real ones",
        evidence={"loss": zeroed.loss, "loss_on_zeros": zeroed.zeroed_loss, "first_loss": zeroed.initial_loss,
                  "largest_difference": zeroed.largest_difference, "standard_error": zeroed.standard_error,
                  "rows": zeroed.rows, "steps": zeroed.steps},
        impact="the model can learn the labels' frequencies and nothing else",
        fix="follow the inputs through forward: are they overwritten, detached, scaled away or left out?",
    )


def _watched(use: InputUse) -> Finding:
    by = f", after {use.operation}" if use.operation else ""
    return Finding(
        summary=f"what {use.model} puts out doesn't depend on its inputs{by}",
        where=Where(place=use.place, module=use.model),
        evidence={"rows": use.rows, "steps": use.steps, "operation": use.operation},
        impact="the model can learn the labels' frequencies and nothing else",
        fix="follow the inputs through forward: are they overwritten, multiplied by zero, or left out?",
    )
