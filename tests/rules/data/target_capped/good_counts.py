"""Days of a month with rain in a wet place: they end at 31, as months do."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.target_ends import measure_target_ends
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 4))
    y = np.minimum(rng.poisson(26 + 4 * x[:, 0].clip(-2, 2)), 31).astype(np.float64)
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    measured = measure_target_ends(table, split(table, SplitPlan()))
    assert not isinstance(measured, Absent)
    return FactSet.of(measured)
