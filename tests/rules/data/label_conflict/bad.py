"""Sixty rows were labelled twice, the second time by someone who had the classes the other way round."""

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
    y = (x[:, 0] > 0).astype(np.int64)
    again = rng.choice(600, 60, replace=False)
    x, y = np.vstack([x, x[again]]), np.concatenate([y, 1 - y[again]])
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcde"), classes=("no", "yes"))
    return FactSet.of(measure_conflicts(table, split(table, SplitPlan())))
