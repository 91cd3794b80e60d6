"""Yesterday's value, in a series that moves slowly: it is known today, and as close as the row before."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.target_leak import measure_target_leak
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    level = np.cumsum(rng.normal(size=3001)) + 0.2 * np.arange(3001)
    x = np.column_stack([level[:-1], rng.normal(size=(3000, 3))])
    table = Dataset(name="levels", task="regression", x=x, y=level[1:], columns=tuple("abcd"), classes=())
    return FactSet.of(measure_target_leak(table, split(table, SplitPlan())))
