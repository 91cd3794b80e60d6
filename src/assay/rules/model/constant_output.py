"""The output is the same for every input.

## Why it hurts
Such a model predicts the commonest class, or the mean, for everything. The loss falls to the labels' entropy or the
targets' variance and stays there, whatever the rate.

## What is looked at
The outputs for one batch of different examples. They must not be equal throughout; no threshold enters. A last layer
that starts at zero gives equal outputs at first and is sound, so that the answer counts only if zeroed inputs leave
the loss of a model that was fitted for some steps exactly as it was. In a watch, trained models are given batches in
which all rows are replaced by one of them: no output may then be equal, bit by bit, for whichever row it is, and the
operation that lets nothing through is named. That doesn't count where it rounds (a sure sigmoid), chooses (the nearest
code) or adds (a head that never moved).

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

from assay.facts.interventions import InputUse, OutputShape, ZeroedInputs
from assay.rule import ERROR, Finding, NotChecked, Suspicion, Verdict, Where, rule


@rule(severity=ERROR, implied_by=("mask-inverted",))
def constant_output(
    shape: OutputShape | None, zeroed: ZeroedInputs | None, use: InputUse | None,
) -> Iterator[Verdict]:
    """Look at whether the outputs vary over the batch, before training and after some steps of it."""
    if use is not None and not use.moves and use.varies is False:
        yield _watched(use)
        return
    if shape is None and (use is None or use.varies is None):
        yield NotChecked("no trained model was tried on other inputs, or its outputs don't lie in rows")
    if shape is None or shape.varies or shape.output[:1] == (1,):
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


def _watched(use: InputUse) -> Finding:
    by = f": {use.operation} lets nothing of them through" if use.operation else ""
    return Finding(
        summary=f"{use.model} puts out the same for all {use.rows} examples of a batch, whatever they are{by}",
        where=Where(place=use.place, module=use.model),
        evidence={"rows": use.rows, "steps": use.steps, "operation": use.operation},
        impact="the loss can't fall below that of a constant prediction",
        fix="look for an overwritten or unused input, a multiplication by zero, and units that are dead for all inputs",
    )
