"""The model's outputs don't match the number of classes or targets.

## Why it hurts
With fewer outputs than classes the loss crashes at the first label beyond them, or on some devices reads foreign
memory. With more, the surplus outputs take probability that no label ever claims, and may be predicted in use.

## What is looked at
The shape of the output for one batch, against the one that the task needs: [n, C] for C classes, [n] for two classes
with one logit and for a regression (a trailing axis of size one counts as none). Fewer or otherwise shaped outputs
are an error; more outputs than classes are a warning. No threshold enters.

## Remedy
Give the last layer as many outputs as there are classes (one for two classes with one logit, or for one target).

## When it is wrong to worry
A head that leaves room for classes to come.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: input of shape (N, C).
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import OutputShape
from assay.rule import ERROR, WARNING, Finding, Verdict, rule


@rule(severity=ERROR)
def head_size(shape: OutputShape) -> Iterator[Verdict]:
    """Compare the output's shape with the task's."""
    output, needed = _without_last_one(shape.output), _without_last_one(shape.needed)
    if output == needed:
        return
    surplus = len(output) == len(needed) == 2 and output[0] == needed[0] and output[1] > needed[1]
    wanted = needed[1] if len(needed) > 1 else 1
    yield Finding(
        summary=f"the model gives outputs of shape {list(shape.output)} where the task needs {list(shape.needed)}",
        severity=WARNING if surplus else ERROR,
        evidence={"output": list(shape.output), "needed": list(shape.needed)},
        impact=f"{output[1] - needed[1]} outputs belong to no class" if surplus else None,
        fix=f"give the last layer {wanted} output{'s' if wanted > 1 else ''}",
    )


def _without_last_one(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape
