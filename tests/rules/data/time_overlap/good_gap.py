"""Split by time, with a week between the splits."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.times import measure_times
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    days = np.sort(rng.uniform(0, 700, size=600))
    x = rng.normal(size=(600, 4))
    y = np.cumsum(rng.normal(size=600))
    table = Dataset(name="sales", task="regression", x=x, y=y, columns=tuple("abcd"), classes=(), times=days)
    plan = SplitPlan(kind="time", gap=7)
    return FactSet.of(measure_times(table, split(table, plan), plan))
