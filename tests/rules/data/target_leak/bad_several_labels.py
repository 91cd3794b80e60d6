"""One of three labels stands among the inputs."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.target_leak import measure_target_leak
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(800, 4))
    y = (x[:, :3] + rng.normal(size=(800, 3)) > 0).astype(np.float64)
    x = np.column_stack([x, y[:, 1]])
    table = Dataset(name="table", task="multilabel", x=x, y=y, columns=tuple("abcde"), classes=("red", "green", "blue"))
    return FactSet.of(measure_target_leak(table, split(table, SplitPlan(kind="random"))))
