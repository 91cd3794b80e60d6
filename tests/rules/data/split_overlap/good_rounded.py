"""Measurements rounded to one decimal: a few rows are equal by chance, as one pair of iris is."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=900)
    x = np.round(rng.normal(size=(900, 4)) * 0.4 + y[:, None], 1)
    table = Dataset(name="flowers", task="multiclass", x=x, y=y, columns=tuple("abcd"), classes=("r", "s", "t"))
    return FactSet.of(measure_splits(table, split(table, SplitPlan())))
