"""A given split cuts within a day: rows at the same time are not later."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.times import measure_times
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    days = np.arange(600.0) // 3
    x = rng.normal(size=(600, 4))
    y = rng.integers(0, 2, size=600)
    table = Dataset(
        name="visits", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"), times=days,
    )
    parts = Split(train=np.arange(361), validation=np.arange(361, 480), test=np.arange(480, 600))
    return FactSet.of(measure_times(table, parts, SplitPlan(kind="column", gap=0.0)))
