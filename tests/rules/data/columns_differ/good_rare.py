"""Thousands of shops, many seen once: some of the test part are new, as in any split."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.categories import measure_categories
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.zipf(1.3, size=900) % 5000, rng.normal(size=900)]).astype(np.float64)
    y = (x[:, 1] > 0).astype(np.int64)
    table = Dataset(
        name="table", task="binary", x=x, y=y, columns=("shop", "b"), classes=("no", "yes"),
        kinds=("category", "number"), categories={"shop": tuple(f"shop {number}" for number in range(5000))},
    )
    parts = split(table, SplitPlan())
    return FactSet.of(measure_categories(table, parts, divided="random"))
