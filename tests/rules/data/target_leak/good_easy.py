"""Classes that lie far apart in every measurement, as setosa does."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.target_leak import measure_target_leak
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=800)
    x = 6.0 * y[:, None] + rng.normal(size=(800, 5))
    table = Dataset(name="table", task="multiclass", x=x, y=y, columns=tuple("abcde"), classes=("r", "s", "t"))
    return FactSet.of(measure_target_leak(table, split(table, SplitPlan())))
