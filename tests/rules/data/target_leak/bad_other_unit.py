"""A regression's target stands among the inputs in another unit."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.target_leak import measure_target_leak
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(800, 4))
    y = x[:, 0] + rng.normal(size=800)
    x = np.column_stack([x, 1.8 * y + 32])
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcde"), classes=())
    return FactSet.of(measure_target_leak(table, split(table, SplitPlan())))
