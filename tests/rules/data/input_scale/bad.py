"""Incomes and ages enter as they are."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.input_scale import measure_input_scale
from assay.preparation import prepare, split
from assay.recipe.schema import DataBlock, SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 3)) * [20000, 10, 1] + [50000, 40, 0]
    y = (rng.random(500) < 0.5).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abc"), classes=("no", "yes"))
    data = DataBlock(source="sklearn", name="table", scale="none")
    prepared = prepare(table, split(table, SplitPlan()), data)
    return FactSet.of(measure_input_scale(table, prepared, data.scale))
