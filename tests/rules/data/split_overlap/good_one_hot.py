"""Two categories as one-hot columns: equal rows everywhere, and no two rows that differ in one column only."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 8, size=600), rng.integers(0, 6, size=600)
    x = np.hstack([np.eye(8)[first], np.eye(6)[second]])
    y = (first > 3).astype(np.int64)
    table = Dataset(
        name="one-hot", task="binary", x=x, y=y, columns=tuple(f"c{i}" for i in range(14)), classes=("no", "yes"),
    )
    return FactSet.of(measure_splits(table, split(table, SplitPlan())))
