"""A layer, or a parameter, lies where its model doesn't know of it: in a list, a dictionary or a closure.

## Why it hurts
`model.parameters()` doesn't list it, so the optimizer never trains it: it keeps its random initial values while the
rest learns around them. `state_dict()`, `.to()` and `.eval()` pass it by as well.

## What is looked at
Layers that a model's code calls, on sampled steps, and that are none of its `modules()`; tensors with requires_grad
that losses lead to and no module holds. They count where a loss that was stepped on leads to them, no optimizer holds
them, their values stay as they were made (not loaded, not written to), and the model's own parameters are trained. A
tensor in a variable of the program counts only where it is an nn.Parameter; one that is none counts where a model's
attribute holds it, which is a warning, as long as the program never calls torch.autograd.grad, whose inputs look the
same.

## Remedy
nn.ModuleList, nn.ModuleDict or an attribute of its own for layers, nn.Parameter and nn.ParameterList for tensors; hand
what belongs to no model to the optimizer too.

## When it is wrong to worry
Layers that are hidden on purpose: frozen ones, those called without gradients or in evaluation mode, copies that are
averaged or loaded, and layers that the program hands to an optimizer by itself are silent. A container of one layer is
a known way to hide it: then it is a note.

## References
PyTorch documentation, nn.ModuleList: modules that it contains are properly registered.
kanezaki/pytorch-unsupervised-segmentation, pull request 6: middle layers in a plain list were never trained.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.structure import LooseParameter, LooseParameters, OutsideLayer, OutsideLayers
from assay.rule import ERROR, NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

LOOKS = 2
"""Sampled backward passes that must have led to a tensor, so that it belongs to the loop."""

SHOWN = 6


@rule(severity=ERROR, implied_by=("parameter-in-forward",))
def unregistered_layer(layers: OutsideLayers | None, parameters: LooseParameters | None) -> Iterator[Verdict]:
    """Look for what is used and reached, and never trained."""
    if layers is None and parameters is None:
        yield NotApplicable("no model was trained")
    forgotten = [each for each in (layers.layers if layers else ()) if _forgotten(each)]
    for model in dict.fromkeys(each.model for each in forgotten):
        yield _outside([each for each in forgotten if each.model == model])
    loose = [each for each in parameters.loose if _adrift(each, parameters.differentiated)] if parameters else []
    for name in dict.fromkeys(each.name for each in loose):
        yield _loose([each for each in loose if each.name == name])


def _forgotten(layer: OutsideLayer) -> bool:
    return layer.reached and layer.model_trained and not layer.trained and not layer.evaluating


def _adrift(loose: LooseParameter, differentiated: bool) -> bool:
    meant = loose.registers or (loose.of_model and not differentiated)
    return meant and loose.looks >= LOOKS and not loose.trained


def _outside(layers: list[OutsideLayer]) -> Finding:
    first = next((each for each in layers if not each.alone), layers[0])
    held = f"in the plain container {first.held}" if first.held else "in no attribute of it"
    return Finding(
        summary=f"{first.model} calls {_counted(len(layers), 'layer')} outside of its modules, {held}: never trained",
        severity=NOTE if first.alone else ERROR,
        where=Where(place=first.place, module=first.held or None),
        evidence={"layers": [each.kind for each in layers[:SHOWN]], "held_by": first.held or None,
                  "trainable_numbers": sum(each.numbers for each in layers), "reached_by_the_loss": True},
        impact=f"{sum(each.numbers for each in layers)} numbers keep their initial values, and are not saved with the "
               "model",
        fix="hold the layers in nn.ModuleList, nn.ModuleDict or an attribute of their own, before the optimizer is "
            "made; set requires_grad_(False) on what shall stay as it is",
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" + "s" * (count != 1)


def _loose(parameters: list[LooseParameter]) -> Finding:
    loose = parameters[0]
    what = "nn.Parameter" if loose.registers else "plain tensor"
    where = "where no module registers it" if loose.of_model else "in no module"
    several = f" ({len(parameters)} of them)" if len(parameters) > 1 else ""
    return Finding(
        summary=f"{loose.name}{several} gets gradients and never changes: {what}, {where}, and in no optimizer",
        severity=ERROR if loose.registers else WARNING,
        where=Where(place=loose.place, module=loose.name),
        evidence={"shape": list(loose.shape), "tensors": len(parameters), "backward_passes": loose.looks,
                  "optimised": False},
        impact="it keeps its initial value",
        fix="make it an nn.Parameter and an attribute of the model, nn.ParameterList for several, or hand it to the "
            "optimizer; without requires_grad if it shall stay as it is",
    )
