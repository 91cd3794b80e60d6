"""Weight decay applies to gains and biases of normalisation layers, or to biases.

## Why it hurts
Decay pulls a gain of one towards zero, which the layers after it must undo; it regularises nothing, since a norm's
output scale is not what overfits. The loss in accuracy is small and steady.

## What is looked at
The parameter groups. One group with decay that holds everything, or equal decay everywhere, is PyTorch's default: a
note. Where groups differ and one without decay holds norms or biases (or nothing at all), the program tries to leave
them out; norms, or biases when others are left out, that still stand in a group with decay show that its filter misses
some: a warning.

## Remedy
Choose by dimension rather than by name: parameters of one dimension (gains, biases) into a group with weight_decay 0.

## When it is wrong to worry
Recipes that decay everything are common and often fine; a published recipe should be followed as it is.

## References
He et al., Bag of Tricks for Image Classification, 2019, section 3.1 (no bias decay); the OpenAI and timm recipes split
by dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.facts.optimizer import GroupRecord, OptimizerFacts, OptimizerRecord
from assay.rule import NOTE, WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule


@rule(severity=WARNING, implied_by=("decay-filter-empty",))
def decay_on_norms(optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Look at the groups with decay for norms and biases."""
    if not any(each.groups for each in optimizers.optimizers):
        yield NotChecked("no optimizer took a step, so its groups were not looked at")
    elif not any(group.weight_decay for each in optimizers.optimizers for group in each.groups):
        yield NotApplicable("no optimizer decays weights")
    for each in optimizers.optimizers:
        decayed = [group for group in each.groups if group.weight_decay]
        spared = [group for group in each.groups if not group.weight_decay]
        norms = _count(decayed)
        if not norms:
            continue
        missed = _missed(norms, _count(spared), empty=any(not group.kinds for group in spared))
        yield _decayed(each, decayed, missed or norms, tried=bool(missed))


def _count(groups: list[GroupRecord]) -> Counter[str]:
    """Norms and biases of these groups by kind."""
    return sum(
        (Counter({kind: n for kind, n in group.kinds.items() if kind in ("norm", "bias")}) for group in groups),
        Counter[str](),
    )


def _missed(decayed: Counter[str], spared: Counter[str], *, empty: bool) -> Counter[str]:
    """Decayed ones that a program which spares others of their kind, or norms at all, meant to spare."""
    if empty and not spared:
        return decayed
    meant = {"norm", "bias"} if spared["bias"] else {"norm"} if spared["norm"] else set()
    return Counter({kind: n for kind, n in decayed.items() if kind in meant})


def _decayed(optimizer: OptimizerRecord, decayed: list[GroupRecord], counts: Counter[str], *, tried: bool) -> Finding:
    what = " and ".join(f"{n} {'norm gains or biases' if kind == 'norm' else 'biases'}" for kind, n in counts.items())
    named = [name for group in decayed for name in group.named]
    filtered = ", although other groups are spared: the filter misses them" if tried else ""
    return Finding(
        summary=f"{optimizer.kind} decays {what}{filtered}",
        severity=WARNING if tried else NOTE,
        where=Where(place=optimizer.place, module=named[0] if named else None),
        evidence={"decay": [group.weight_decay for group in decayed], "decayed": dict(counts), "examples": named},
        fix="put parameters of one dimension (gains and biases) into a group with weight_decay=0",
    )
