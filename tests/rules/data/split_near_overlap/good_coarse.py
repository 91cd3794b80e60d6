"""Three coarse categories and one number: rows that differ in the number alone are no surprise."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.near_overlap import measure_near_overlap
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.integers(0, 5, size=(900, 3)), rng.normal(size=900)])
    y = (rng.random(900) < 0.2 + 0.1 * x[:, 0]).astype(np.int64)
    table = Dataset(name="coarse", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    return FactSet.of(measure_near_overlap(table, split(table, SplitPlan())))
