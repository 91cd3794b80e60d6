"""Each setting of an experiment was run four times, with the scatter of any measurement."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.conflicts import measure_conflicts
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(150, 4)), 4, axis=0)
    y = 3 * x[:, 0] + 0.2 * rng.normal(size=600)
    table = Dataset(name="runs", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    return FactSet.of(measure_conflicts(table, split(table, SplitPlan())))
