"""Parameters in the optimizer never receive a gradient.

## Why it hurts
They never learn. Somewhere between them and the loss the path is cut, by detach, argmax, no_grad or a trip through
NumPy, or the layer is never called.

## What is looked at
Trainable parameters that an optimizer holds, that no sampled graph of a loss led to, and whose gradient was absent at
every step, in a model of which other parameters are reached. At least ten steps, so that what is used now and then had
its chance.

## Remedy
Find where the path is cut. Remove the layer if it isn't used.

## When it is wrong to worry
Unused heads and experts that were never chosen. Experts, one of several equal siblings in a list of which others are
reached, are a note.

## References
PyTorch documentation, DistributedDataParallel: find_unused_parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.model import ModelFacts, ParameterRecord
from assay.facts.optimizer import OptimizerFacts
from assay.rule import NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

STEPS = 10
NAMED = 8
NUMBERED = re.compile(r"\.\d+\.")


@rule(severity=WARNING)
def params_no_grad(models: ModelFacts, optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Look for parameters that are held and not reached."""
    taken = max((each.steps for each in optimizers.optimizers), default=0)
    if taken < STEPS:
        yield NotChecked(f"only {taken} optimizer steps were taken; {STEPS} are needed")
        return
    for model in models.models:
        held = [each for each in model.parameters if each.trainable and each.optimised]
        reached = [each for each in held if each.reached is True]
        idle = [each for each in held if each.reached is False]
        if any(isinstance(each.reached, Unknown) for each in held):
            yield NotChecked(next(each.reached.why for each in held if isinstance(each.reached, Unknown)))
        elif idle and reached:
            chosen = {_sibling(each) for each in reached}
            yield _idle(model.kind, idle, experts=all(_sibling(each) in chosen for each in idle))


def _sibling(parameter: ParameterRecord) -> str:
    """The name with its numbers left out, shared by equal members of a list; a name of its own without a number."""
    return NUMBERED.sub(".*.", f".{parameter.name}.") if NUMBERED.search(f".{parameter.name}") else parameter.name


def _idle(kind: str, idle: list[ParameterRecord], *, experts: bool) -> Finding:
    names = [each.name for each in idle]
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    return Finding(
        summary=f"{len(names)} parameters of {kind} are in the optimizer and never receive a gradient: {shown}",
        severity=NOTE if experts else WARNING,
        where=Where(module=names[0]),
        evidence={"without_gradient": names},
        impact="they keep their initial values",
        fix="find where the path from them to the loss is cut (detach, argmax, no_grad, NumPy), or remove the layer",
    )
