"""The same things with their own labels."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.suspects import measure_suspects
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=900)
    x = 1.8 * rng.normal(size=(3, 6))[y] + rng.normal(size=(900, 6))
    mixed = rng.random(900) < 0.0
    y = np.where(mixed, (y + 1) % 3, y)
    table = Dataset(name="table", task="multiclass", x=x, y=y, columns=tuple("abcdef"), classes=("r", "s", "t"))
    return FactSet.of(measure_suspects(table, split(table, SplitPlan())))
