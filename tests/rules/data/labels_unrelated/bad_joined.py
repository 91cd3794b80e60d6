"""A regression's targets were joined by the row number of a file in another order."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.relation import measure_relation
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(800, 6))
    y = x[:, 0] + 0.1 * rng.normal(size=800)
    y = y[np.argsort(rng.random(800))]
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcdef"), classes=())
    return FactSet.of(measure_relation(table, split(table, SplitPlan())))
