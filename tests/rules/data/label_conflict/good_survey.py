"""Equal answers by people who decide differently: the columns are too coarse to tell them apart."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.conflicts import measure_conflicts
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 4, size=(600, 3)).astype(float)
    y = (rng.random(600) < 0.2 + 0.15 * x[:, 0]).astype(np.int64)
    table = Dataset(name="survey", task="binary", x=x, y=y, columns=tuple("abc"), classes=("no", "yes"))
    return FactSet.of(measure_conflicts(table, split(table, SplitPlan())))
