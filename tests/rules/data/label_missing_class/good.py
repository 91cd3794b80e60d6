"""The third class has rows for every split."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [400, 350, 50])
    x = rng.normal(size=(len(y), 4)) + y[:, None]
    table = Dataset(name="table", task="multiclass", x=x, y=y, columns=tuple("abcd"), classes=("r", "s", "t"))
    return FactSet.of(measure_splits(table, split(table, SplitPlan(kind="stratified", seed=0))))
