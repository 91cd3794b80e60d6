"""Values are missing more often for one class, as they are in a clinic."""

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
    y = (x[:, 0] + x[:, 1] + rng.normal(size=800) > 0).astype(np.int64)
    missing = rng.random(800) < np.where(y == 1, 0.6, 0.2)
    x = np.column_stack([x, np.where(missing, np.nan, rng.normal(size=800))])
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcde"), classes=("lived", "died"))
    return FactSet.of(measure_target_leak(table, split(table, SplitPlan())))
