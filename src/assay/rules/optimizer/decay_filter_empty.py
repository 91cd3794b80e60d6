"""The group that should escape weight decay holds nothing, or the one that should decay does.

## Why it hurts
The program sorts its parameters by a name or a type, and the filter matches nothing: norms and biases decay after all,
or nothing decays although a decay is set. No error is raised: a group may be empty.

## What is looked at
Optimizers with two groups or more, some with and some without decay. Where every group without decay is empty, and
norms or biases stand among the decayed; or where every group with decay is empty, and weights or embeddings stand among
the spared.

## Remedy
Print how many parameters each group holds. Choose by dimension rather than by name: one dimension, no decay.

## When it is wrong to worry
A model without norms and biases has nothing to spare, and where only gains and biases are trained nothing is left to
decay: both are silent.

## References
mt-dnn pull request 37 and Fast-LLM issue 542: filters that matched nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.optimizer import GroupRecord, OptimizerFacts
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=WARNING)
def decay_filter_empty(optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Look for an empty group beside one of the other sort."""
    sorting = [each for each in optimizers.optimizers if len({bool(group.weight_decay) for group in each.groups}) == 2]
    if not sorting:
        yield NotApplicable("no optimizer has groups with and without decay")
    for each in sorting:
        decayed = [group for group in each.groups if group.weight_decay]
        spared = [group for group in each.groups if not group.weight_decay]
        sizes = {"parameters_with_decay": _count(decayed), "parameters_without": _count(spared)}
        if all(group.size == 0 for group in spared) and _count(decayed, "norm", "bias"):
            summary = f"the group of {each.kind} that should escape decay is empty: its norms and biases decay"
        elif all(group.size == 0 for group in decayed) and _count(spared, "weight", "embedding"):
            summary = f"the group of {each.kind} that should decay is empty: nothing decays"
        else:
            continue
        yield Finding(
            summary=summary, where=Where(place=each.place), evidence=dict(sizes),
            fix="look at what the filter compares: choose parameters by their dimension, one dimension for no decay",
        )


def _count(groups: list[GroupRecord], *kinds: str) -> int:
    return sum(n for group in groups for kind, n in group.kinds.items() if not kinds or kind in kinds)
