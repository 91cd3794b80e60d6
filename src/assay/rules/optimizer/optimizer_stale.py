"""The optimizer holds parameters that the training doesn't use: of a copy, or of a model that was made anew.

## Why it hurts
It steps parameters that no loss leads to. The model that is trained gets gradients and keeps its values; nothing fails.

## What is looked at
An optimizer that took five steps or more, at none of which (as far as they were looked at) any of its parameters had a
gradient, while backward passes led to trainable parameters of a model of which no optimizer holds any and that nobody
wrote to. Layers replaced within a model of which other parameters are held are told by params-not-optimised.

## Remedy
Make the optimizer from the parameters of the model that is trained, after it was copied, loaded or rebuilt.

## When it is wrong to worry
Moving a model with .to() keeps its parameters. A second optimizer that waits for its turn beside one that trains,
models that are left alone on purpose (a fixed critic) and weights that are updated by hand are silent.

## References
TrainCheck (OSDI 2025), AC-2665 and DS-6772: optimizers made before the model was wrapped.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.model import ModelFacts, ModelRecord
from assay.facts.order import OrderFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

STEPS = 5
NAMED = 5


@rule(severity=ERROR)
def optimizer_stale(order: OrderFacts, models: ModelFacts) -> Iterator[Verdict]:
    """Look for an optimizer without gradients beside a model without an optimizer."""
    taken = [each for each in order.optimizers if each.steps]
    if not any(each.seen >= STEPS for each in taken):
        yield NotChecked(f"no optimizer was looked at for {STEPS} steps")
        return
    idle = [each for each in taken if each.seen >= STEPS and each.empty == each.seen and not each.fed]
    adrift = next(filter(_adrift, models.models), None)
    if adrift is None or len(idle) < len(taken):
        return
    for each in idle:
        names = [parameter.name for parameter in adrift.parameters if parameter.met]
        yield Finding(
            summary=f"{each.kind} holds parameters that no loss leads to, and the {adrift.kind} that is trained is in "
                    "no optimizer",
            where=Where(place=each.place or each.step_place, module=names[0]),
            evidence={"steps": each.steps, "looked_at": each.seen, "without_gradients": each.empty,
                      "led_to_by_the_loss": names[:NAMED]},
            impact="the model that is trained keeps its initial values",
            fix="make the optimizer from the parameters of this model, after it was copied, loaded or rebuilt",
        )


def _adrift(model: ModelRecord) -> bool:
    """Whether losses lead to it, and nothing changes it."""
    if any(each.optimised or each.moved is True for each in model.parameters):
        return False
    return any(each.trainable and each.met for each in model.parameters)
