"""Rows are split as they are; jitter belongs into training."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.near_overlap import measure_near_overlap
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 6))
    y = (x[:, 0] + x[:, 1] > 0).astype(np.int64)
    again = rng.choice(600, 0, replace=False)
    x = np.vstack([x, x[again] + 0.01 * rng.normal(size=(len(again), 6))])
    y = np.concatenate([y, y[again]])
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcdef"), classes=("no", "yes"))
    return FactSet.of(measure_near_overlap(table, split(table, SplitPlan())))
