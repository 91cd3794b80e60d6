"""Known customers are met again later: rows are split by time, and a group is stated for other ends."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.groups import measure_groups
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    customers = rng.integers(0, 50, size=600)
    table = Dataset(
        name="orders", task="binary", x=rng.normal(size=(600, 4)), y=rng.integers(0, 2, size=600),
        columns=tuple("abcd"), classes=("no", "yes"), groups=customers, times=np.arange(600.0),
    )
    parts = Split(train=np.arange(360), validation=np.arange(360, 480), test=np.arange(480, 600))
    return FactSet.of(measure_groups(table, parts, SplitPlan(kind="time")))
