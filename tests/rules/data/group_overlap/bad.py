"""Eight visits of each patient, split at random: every patient stands in every split."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.groups import measure_groups
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    patients = np.repeat(np.arange(80), 8)
    x = rng.normal(size=(80, 5))[patients] + 0.3 * rng.normal(size=(640, 5))
    y = rng.integers(0, 2, size=80)[patients]
    table = Dataset(
        name="visits", task="binary", x=x, y=y, columns=tuple("abcde"), classes=("no", "yes"), groups=patients,
    )
    plan = SplitPlan(kind="random")
    return FactSet.of(measure_groups(table, split(table, plan), plan))
