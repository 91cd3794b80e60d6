"""Rows were exported twice, each time with new ids."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.near_overlap import measure_near_overlap
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 5))
    y = (x[:, 0] > 0).astype(np.int64)
    rows = np.concatenate([np.arange(600), rng.choice(600, 150, replace=False)])
    x, y = np.column_stack([np.arange(750.0), x[rows]]), y[rows]
    table = Dataset(name="table", task="binary", x=x, y=y, columns=("id", *"abcde"), classes=("no", "yes"))
    return FactSet.of(measure_near_overlap(table, split(table, SplitPlan())))
