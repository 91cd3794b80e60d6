"""The fifty of 4,000 columns of noise that fit all labels best."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.selection import measure_selection
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(300, 4000)), rng.integers(0, 2, size=300)
    everything = Dataset(
        name="genes", task="binary", x=x, y=y, columns=tuple(f"g{at}" for at in range(4000)), classes=("no", "yes"),
    )
    rows = np.arange(300)
    related = np.abs((y[rows] - y[rows].mean()) @ (x[rows] - x[rows].mean(axis=0)))
    best = np.argsort(-related)[:50]
    table = replace(everything, x=x[:, best], columns=tuple(f"g{at}" for at in best))
    return FactSet.of(measure_selection(table, split(table, SplitPlan())))
