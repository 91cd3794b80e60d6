"""Unlabelled rows carry -100, which the loss leaves out."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.labels import measure_labels
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 4))
    y = np.where(rng.random(600) < 0.1, -100, rng.integers(0, 3, size=600))
    table = Dataset(name="table", task="multiclass", x=x, y=y, columns=tuple("abcd"), classes=("r", "s", "t"))
    labels = measure_labels(table, split(table, SplitPlan(kind="random")), ignore_index=-100)
    assert not isinstance(labels, Absent)
    return FactSet.of(labels)
