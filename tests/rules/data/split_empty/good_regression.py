"""Two hundred rows to each evaluation split of a regression: five per cent exactly."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 4))
    y = x[:, 0] + rng.normal(size=1000)
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    return FactSet.of(measure_splits(table, split(table, SplitPlan())))
