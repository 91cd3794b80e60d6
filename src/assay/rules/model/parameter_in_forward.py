"""A layer, or a parameter, is made anew in every forward pass.

## Why it hurts
It has fresh random weights each time, so nothing that it learns lasts, and the rest of the model is trained on noise.
The optimizer, which was made before, never sees it.

## What is looked at
Layers with trainable parameters that are made, and called, while a model in training runs. One line that makes them for
three recorded passes or more, of which no optimizer ever holds one, is an error. So is a method of a model that makes
an nn.Parameter, where losses lead at three sampled steps to one that nothing holds, after the one before had gone.

## Remedy
Make the layer once, in `__init__`, as an attribute of the model.

## When it is wrong to worry
Layers that are made once at the first pass, copies (inner loops of meta-learning), layers without parameters such as
an activation, weights that another network puts out, and layers that are made without gradients, as for a random
augmentation, are silent.

## References
PyTorch documentation, nn.Module: submodules are assigned in `__init__`.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.structure import LayersMadeAnew, LooseParameters
from assay.rule import ERROR, Finding, Verdict, Where, rule

PASSES = 3
"""The first pass may make a layer lazily, and the second once more where an input has another shape."""


@rule(severity=ERROR)
def parameter_in_forward(layers: LayersMadeAnew, parameters: LooseParameters | None) -> Iterator[Verdict]:
    """Look for lines that make layers pass after pass."""
    made = [each for each in layers.made if each.passes >= PASSES]
    if parameters is not None and parameters.anew >= PASSES and parameters.anew_place is not None and not made:
        yield Finding(
            summary="a model makes a new nn.Parameter in every forward pass: it is random each time",
            where=Where(place=parameters.anew_place),
            evidence={"backward_passes_that_met_a_new_one": parameters.anew, "looked_at": parameters.walked},
            impact="nothing that it learns lasts, and no optimizer holds it",
            fix="make the parameter once, in __init__, as an attribute of the model",
        )
    for each in made:
        yield Finding(
            summary=f"{each.model} makes a new {each.kind} in every forward pass: its weights are random each time",
            where=Where(place=each.place, module=each.model),
            evidence={"kind": each.kind, "passes_that_made_one": each.passes, "passes_looked_at": layers.passes},
            impact="nothing that it learns lasts, and no optimizer holds it",
            fix="make the layer once, in __init__, as an attribute of the model",
        )
