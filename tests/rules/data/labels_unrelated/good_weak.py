"""A weak relation: one column that moves the chances by a few points."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.relation import measure_relation
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 4, size=(600, 5)).astype(float)
    y = (rng.random(600) < 0.3 + 0.1 * x[:, 0]).astype(np.int64)
    table = Dataset(name="survey", task="binary", x=x, y=y, columns=tuple("abcde"), classes=("no", "yes"))
    return FactSet.of(measure_relation(table, split(table, SplitPlan())))
