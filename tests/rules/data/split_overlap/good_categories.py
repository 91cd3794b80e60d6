"""Three answers of three or four kinds each: people with equal answers stand in every split, by nature."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 4, size=(600, 3)).astype(float)
    y = (rng.random(600) < 0.2 + 0.15 * x[:, 0]).astype(np.int64)
    table = Dataset(name="survey", task="binary", x=x, y=y, columns=("a", "b", "c"), classes=("no", "yes"))
    return FactSet.of(measure_splits(table, split(table, SplitPlan())))
