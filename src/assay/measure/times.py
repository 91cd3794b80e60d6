"""Measure whether training ends before evaluation begins, by the stated time column."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from assay.dataset import Dataset, Split, SplitName
from assay.facts.fact import Absent
from assay.facts.leakage import TimeFacts, TimeOrder
from assay.recipe.schema import SplitPlan

NAMES: tuple[SplitName, ...] = ("train", "validation", "test")


def measure_times(dataset: Dataset, split: Split, plan: SplitPlan) -> TimeFacts | Absent:
    """Compare the times of every pair of splits; rows without a time are left out.

    Absent where the recipe states no time column, or no two splits have times.
    """
    if dataset.times is None:
        return Absent("the recipe states no time column (data.time)")
    orders = tuple(_orders(dataset, split, plan.gap))
    if not orders:
        return Absent("no two splits have rows with a time")
    return TimeFacts(split_by=plan.kind or "rows", gap=plan.gap, orders=orders)


def _orders(dataset: Dataset, split: Split, gap: float) -> Iterator[TimeOrder]:
    assert dataset.times is not None
    known = {name: split.rows(name)[np.isfinite(dataset.times[split.rows(name)])] for name in NAMES}
    for first, second in combinations(NAMES, 2):
        if len(known[first]) == 0 or len(known[second]) == 0:
            continue
        earlier, later = dataset.times[known[first]], dataset.times[known[second]]
        start = later.min()
        yield TimeOrder(
            first=first, second=second, rows=len(earlier), later=int((earlier > start).sum()),
            within=int(((earlier <= start) & (start - earlier < gap)).sum()),
            last=float(earlier.max()), start=float(start),
            example=(int(known[first][earlier.argmax()]), int(known[second][later.argmin()])),
        )
