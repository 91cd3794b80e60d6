"""The rare class is oversampled before the split, so that copies of a row land on both sides."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 6))
    y = (x[:, 0] > 0.5).astype(np.int64)
    rare = np.flatnonzero(y == 1)
    rows = np.concatenate([np.arange(len(x)), rng.choice(rare, 300)])
    x, y = x[rows], y[rows]
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcdef"), classes=("no", "yes"))
    return FactSet.of(measure_splits(table, split(table, SplitPlan())))
