"""The output is the same for every input.

## Why it hurts
Such a model predicts the commonest class, or the mean, for everything. The loss falls to the labels' entropy or the
targets' variance and stays there, whatever the rate.

## What is looked at
The outputs for one batch of different examples. They must not be equal throughout; no threshold enters. A last layer
that starts at zero gives equal outputs at first and is sound, so that the answer counts only if zeroed inputs leave
the loss of a model that was fitted for some steps exactly as it was.

## Remedy
Look for a multiplication by zero, units that are dead for every input, a mean over the wrong axis, or an input that
is overwritten.

## When it is wrong to worry
A batch whose examples are all the same.

## References
Karpathy, "A recipe for training neural networks", 2019: "input-independent baseline".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import OutputShape, ZeroedInputs
from assay.rule import ERROR, Finding, Suspicion, Verdict, rule


@rule(severity=ERROR)
def constant_output(shape: OutputShape, zeroed: ZeroedInputs | None) -> Iterator[Verdict]:
    """Look at whether the outputs vary over the batch, before training and after some steps of it."""
    if shape.varies or shape.output[:1] == (1,):
        return
    if zeroed is None:
        yield Suspicion(asks=ZeroedInputs, why="all outputs of a batch are equal, as they are if a head starts at zero")
    elif zeroed.largest_difference == 0:
        yield Finding(
            summary=f"the output is the same for all {shape.output[0]} examples of a batch, before and after training",
            evidence={"output": list(shape.output), "loss": zeroed.loss, "loss_on_zeros": zeroed.zeroed_loss,
                      "steps": zeroed.steps},
            impact="the loss can't fall below that of a constant prediction",
            fix="look for a multiplication by zero, dead units, a mean over the wrong axis or an overwritten input",
        )
