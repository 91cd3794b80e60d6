"""House prices as they were paid."""

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
    y = np.round(200_000 * np.exp(0.4 * x[:, 0] + 0.2 * rng.normal(size=900)))
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    measured = measure_target_ends(table, split(table, SplitPlan()))
    assert not isinstance(measured, Absent)
    return FactSet.of(measured)
