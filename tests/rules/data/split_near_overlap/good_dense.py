"""Two numbers, so that every row has close neighbours."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.near_overlap import measure_near_overlap
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 2))
    x = np.column_stack([x, x[:, 0] * x[:, 1], x.sum(axis=1)])
    y = (x[:, 0] > 0).astype(np.int64)
    table = Dataset(name="dense", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    return FactSet.of(measure_near_overlap(table, split(table, SplitPlan())))
