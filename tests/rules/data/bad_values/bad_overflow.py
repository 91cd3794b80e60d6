"""A placeholder of 1e308, whose square is infinite."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.columns import measure_columns
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 4))
    y = (x[:, 0] > 0).astype(np.int64)
    x[rng.random(600) < 0.05, 2] = 1e308
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    return FactSet.of(measure_columns(table, split(table, SplitPlan())))
