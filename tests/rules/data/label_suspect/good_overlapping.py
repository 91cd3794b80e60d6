"""Classes that overlap: many predictions fail, and those that are sure don't."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.suspects import measure_suspects
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=900)
    x = 0.8 * y[:, None] + rng.normal(size=(900, 6))
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcdef"), classes=("no", "yes"))
    return FactSet.of(measure_suspects(table, split(table, SplitPlan())))
