"""Forty measurements that are informative to the same degree, as nature made them."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.selection import measure_selection
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=400)
    x = 0.35 * y[:, None] + rng.normal(size=(400, 40))
    table = Dataset(
        name="sensors", task="binary", x=x, y=y, columns=tuple(f"s{at}" for at in range(40)), classes=("no", "yes"),
    )
    return FactSet.of(measure_selection(table, split(table, SplitPlan())))
