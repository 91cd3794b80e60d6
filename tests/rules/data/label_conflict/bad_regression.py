"""Rows were measured twice, and one of the two in another unit."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.conflicts import measure_conflicts
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 5))
    y = 20 + x[:, 0] + 0.1 * rng.normal(size=600)
    again = rng.choice(600, 60, replace=False)
    x, y = np.vstack([x, x[again]]), np.concatenate([y, 1.8 * y[again] + 32])
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcde"), classes=())
    return FactSet.of(measure_conflicts(table, split(table, SplitPlan())))
