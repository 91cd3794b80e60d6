"""Standardised by all rows and written with four decimals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.fitted import measure_fitted
from assay.preparation import prepare, split
from assay.recipe.schema import DataBlock, SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 4)) * [1, 10, 100, 3] + [5, 0, 20, 1]
    y = (x[:, 0] > 5).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    parts = split(table, SplitPlan())
    fitted = x
    table = replace(table, x=np.round((x - fitted.mean(axis=0)) / fitted.std(axis=0), 4))
    prepared = prepare(table, parts, DataBlock(source="sklearn", name="table", scale="none"))
    return FactSet.of(measure_fitted(table, parts, prepared))
