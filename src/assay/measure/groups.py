"""Measure whether the stated groups (patients, users, documents) stand in one split each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from assay.dataset import Dataset, Split, SplitName
from assay.facts.fact import Absent
from assay.facts.leakage import GroupFacts, SharedGroups
from assay.recipe.schema import SplitPlan

NAMES: tuple[SplitName, ...] = ("train", "validation", "test")
EXAMPLES = 5  # groups that a finding names


def measure_groups(dataset: Dataset, split: Split, plan: SplitPlan) -> GroupFacts | Absent:
    """Compare the groups of every pair of splits. Absent where the recipe states no group column."""
    if dataset.groups is None:
        return Absent("the recipe states no group column (data.group)")
    return GroupFacts(
        groups=len(np.unique(dataset.groups)), split_by=plan.kind or "rows",
        shared=tuple(_shared(dataset, split)),
    )


def _shared(dataset: Dataset, split: Split) -> Iterator[SharedGroups]:
    assert dataset.groups is not None
    for first, second in combinations(NAMES, 2):
        theirs = dataset.groups[split.rows(second)]
        both = np.intersect1d(dataset.groups[split.rows(first)], theirs)
        if len(both):
            rows = int(np.isin(theirs, both).sum())
            yield SharedGroups(
                first=first, second=second, groups=len(both), rows=rows, share=rows / len(theirs),
                examples=tuple(int(group) for group in both[:EXAMPLES]),
            )
