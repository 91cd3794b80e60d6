"""Two lags of a series beside other columns, split at random."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.windows import measure_windows
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    series = np.cumsum(rng.normal(size=702))
    x = np.column_stack([series[1:-1], series[:-2], rng.normal(size=700), np.arange(700) % 7])
    table = Dataset(name="lags", task="regression", x=x, y=series[2:], columns=tuple("abcd"), classes=())
    return FactSet.of(measure_windows(table, split(table, SplitPlan())))
