"""One layer stands where several were meant.

## Why it hurts
`[layer] * 4` holds one layer four times: the model has a quarter of the parameters that it seems to have, and the four
are trained to do the same. Members of an ensemble that are one put out the same, and their average says no more.

## What is looked at
Entries of an nn.ModuleList, nn.ModuleDict or nn.Sequential that are of one class and consist of the same parameters.
Where such entries are given the very same input, they can't but agree: an error. Where each is given what came of the
one before, as in a stack of layers, it is a warning. So is a plain assignment such as `target = net`, where the one
name speaks of a model that stays behind (target, teacher, ema, old, copy) and both are one model while it is trained.

## Remedy
Make each entry by its own call, `[make() for _ in range(n)]`, or copy it: `copy.deepcopy(layer)`.

## When it is wrong to worry
One head for several levels or branches, whose inputs differ, and one attribute that is called in a loop are silent, as
are entries without parameters. Where the class or function that makes the container speaks of sharing, tying or
recurrence, it is a note.

## References
PyTorch documentation, nn.ModuleList. Lan et al., ALBERT, 2020: layers that share their parameters on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.structure import AliasedModel, AliasedModels, SharedLayer, SharedLayers
from assay.rule import ERROR, NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

SEVERITIES = {"same input": ERROR, "in a row": WARNING}


@rule(severity=ERROR)
def shared_by_accident(layers: SharedLayers | None, names: AliasedModels | None) -> Iterator[Verdict]:
    """Look for entries that are one and are called as if they were several, and for names of one model."""
    if layers is None and names is None:
        yield NotApplicable("no model was called or trained")
    for each in layers.shared if layers else ():
        if each.relation != "apart":
            yield _one(each)
    for alias in names.aliases if names else ():
        yield _alias(alias)


def _alias(alias: AliasedModel) -> Finding:
    return Finding(
        summary=f"{alias.name} is no copy of {alias.of}, but the same {alias.kind}: it changes at every step",
        severity=WARNING, where=Where(place=alias.place, module=alias.name),
        evidence={"name": alias.name, "same_as": alias.of, "class": alias.kind},
        impact=f"{alias.name} never stays behind {alias.of}",
        fix=f"{alias.name} = copy.deepcopy({alias.of})",
    )


def _one(shared: SharedLayer) -> Finding:
    named = f"{shared.model}.{shared.container}" if shared.container else shared.model
    together = shared.relation == "same input"
    return Finding(
        summary=f"{named} holds one and the same {shared.kind} {shared.places} times",
        severity=NOTE if shared.declared else SEVERITIES[shared.relation],
        where=Where(place=shared.place, module=shared.container or None),
        evidence={"places": shared.places, "class": shared.kind, "calls": shared.relation},
        impact="given the same input, they put out the same" if together
               else f"the parameters of one layer do the work of {shared.places}",
        fix="make each entry by its own call, [make() for _ in range(n)], or copy it with copy.deepcopy",
    )
