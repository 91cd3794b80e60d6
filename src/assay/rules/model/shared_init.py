"""Units, or layers, that start equal and stay equal: training can't tell them apart.

## Why it hurts
Units with the same weights put out the same and get the same gradient, so that a layer of a hundred does the work of
one. All zero in two layers on end, they get no gradient at all. Members of an ensemble, or twin critics, that were
copied from one and see the same stay one.

## What is looked at
At a model's first training pass, weight matrices whose rows or columns are all equal, and pairs of equal matrices. Each
is looked at again after sampled steps of the optimizer that holds it. What counts is that they are still equal, within
rounding, after five such steps or more, and either have moved or never had a gradient other than zero: of zeros in a
single layer that is never so, since its first gradient tells the units apart. Two matrices or more that are filled
with a number other than zero, and whose units come to differ all the same, are a warning.

## Remedy
Draw initial weights at random: `nn.init.kaiming_uniform_`, or leave what the layer does by itself; make members of an
ensemble each by its own call.

## When it is wrong to worry
A zero-initialised head, last layer of a residual branch, gate, or B of LoRA, position embeddings that start at zero,
copied layers at different depths, tied weights, frozen or averaged copies, and weights that were loaded are silent.

## References
Goodfellow, Bengio and Courville, Deep Learning, 2016, section 8.4: initial parameters need to break symmetry.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.weights import AlikeLayers, AlikeUnits, InitialWeights
from assay.rule import ERROR, WARNING, Finding, NotChecked, Verdict, Where, rule

FED = 5
"""Sampled steps: zeros in a chain of up to four layers need one step each until the last of them has a gradient."""

LAYERS = 2
"""Layers filled with one number other than zero: a single one may average on purpose."""

SHOWN = 5


@rule(severity=ERROR)
def shared_init(weights: InitialWeights) -> Iterator[Verdict]:
    """Look for what is still alike after some steps."""
    fed = [each.fed for each in weights.units] + [each.fed for each in weights.layers]
    if any(each < FED for each in fed):
        yield NotChecked(f"weights that start alike were fed at fewer than {FED} sampled steps")
    units = [each for each in weights.units if each.fed >= FED and each.still and (each.moved or each.flat)]
    filled = [each for each in weights.units if each.fed >= FED and each.value and each not in units]
    layers = [each for each in weights.layers if each.fed >= FED and each.still and each.moved]
    for model in dict.fromkeys(each.model for each in units):
        yield _symmetric([each for each in units if each.model == model])
    for model in dict.fromkeys(each.model for each in filled):
        alike = [each for each in filled if each.model == model]
        if len(alike) >= LAYERS and not any(each.model == model for each in units):
            yield _constant(alike)
    for model in dict.fromkeys(each.model for each in layers):
        yield _twins([each for each in layers if each.model == model])


def _symmetric(units: list[AlikeUnits]) -> Finding:
    first = units[0]
    names = [each.name for each in units]
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    start = "start equal" if first.value is None else f"start at {first.value:g}"
    return Finding(
        summary=f"the units of {first.model} {start} and stay equal to each other: {shown}",
        where=Where(place=first.place, module=first.name),
        evidence={"weights": names[:SHOWN], "shapes": [list(each.shape) for each in units[:SHOWN]],
                  "initial_value": first.value, "sampled_steps": first.fed, "moved": first.moved},
        impact="a layer does the work of a single unit" if first.moved else "no gradient reaches them",
        fix="draw the initial weights at random, as layers do by themselves",
    )


def _constant(units: list[AlikeUnits]) -> Finding:
    first = units[0]
    names = [each.name for each in units]
    return Finding(
        summary=f"{len(names)} weight matrices of {first.model} are filled with one number: {', '.join(names[:SHOWN])}",
        severity=WARNING, where=Where(place=first.place, module=first.name),
        evidence={"weights": names[:SHOWN], "values": [each.value for each in units[:SHOWN]]},
        impact="their units differ by chance alone, such as that of their biases, and learn nearly the same",
        fix="draw the initial weights at random, as layers do by themselves",
    )


def _twins(layers: list[AlikeLayers]) -> Finding:
    first = layers[0]
    return Finding(
        summary=f"{first.names[0]} and {first.names[1]} of {first.model} start equal and are trained alike",
        where=Where(place=first.place, module=first.names[1]),
        evidence={"pairs": [list(each.names) for each in layers[:SHOWN]], "sampled_steps": first.fed},
        impact="both compute the same: one of them is idle",
        fix="make each by its own call, so that it draws its own initial weights",
    )
