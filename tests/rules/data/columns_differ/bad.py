"""The test part was exported by another program, which writes cities in capitals."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.categories import measure_categories
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    cities = ("Bonn", "Kiel", "Ulm", "BONN")
    x = np.column_stack([rng.integers(0, 3, size=900), rng.normal(size=900)]).astype(np.float64)
    y = (x[:, 1] > 0).astype(np.int64)
    table = Dataset(
        name="table", task="binary", x=x, y=y, columns=("city", "b"), classes=("no", "yes"),
        kinds=("category", "number"), categories={"city": cities},
    )
    parts = split(table, SplitPlan())
    x[parts.test[x[parts.test, 0] == 0], 0] = 3
    return FactSet.of(measure_categories(table, parts, divided="random"))
