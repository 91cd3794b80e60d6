"""A relation that no straight line sees: the label says whether two columns have the same sign."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.relation import measure_relation
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1200, 4))
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    table = Dataset(name="signs", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    return FactSet.of(measure_relation(table, split(table, SplitPlan())))
