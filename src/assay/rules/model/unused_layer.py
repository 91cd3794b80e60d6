"""A layer is registered, handed to the optimizer, and never takes part in a loss.

## Why it hurts
Hardly, if it is left over: it is stored, counted and decayed. But it may have been meant to be called, such as a norm
or a skip connection that `__init__` makes and `forward` forgets.

## What is looked at
Per model that is trained, the layers none of whose trainable parameters the graph of any sampled loss led to, though an
optimizer holds them.

## Remedy
Call the layer, or remove it.

## When it is wrong to worry
Experts that no example was routed to, heads of other tasks, and stochastic depth: it is only a note.

## References
torch-audit's rule TA500. PyTorch documentation, DistributedDataParallel: find_unused_parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.model import ModelFacts, ModelRecord
from assay.rule import NOTE, Finding, Verdict, Where, rule

SHOWN = 6


@rule(severity=NOTE, implied_by=("params-no-grad",))
def unused_layer(models: ModelFacts) -> Iterator[Verdict]:
    """Look for layers that no loss leads to."""
    for model in models.models:
        unused = _unused(model)
        if unused and any(each.reached is True for each in model.parameters):
            yield Finding(
                summary=f"{unused[0]} of {model.kind} takes part in no loss"
                        + (f", nor do {len(unused) - 1} more layers" if len(unused) > 1 else ""),
                where=Where(place=model.place, module=unused[0]), evidence={"layers": unused[:SHOWN]},
                fix="call it in forward, or remove it",
            )


def _unused(model: ModelRecord) -> list[str]:
    layers: dict[str, bool] = {}
    for each in model.parameters:
        layer = each.name.rpartition(".")[0]
        idle = each.trainable and each.optimised and each.reached is False and not each.met
        layers[layer] = layers.get(layer, True) and idle
    return [layer for layer, idle in layers.items() if idle and layer]
