"""Nineteen of twenty rows are of one class, and macro-F1 selects."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.facts.task import TaskFacts
from assay.measure.splits import measure_splits
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [950, 50])
    x = rng.normal(size=(len(y), 4)) + y[:, None]
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    task = TaskFacts(kind="binary", outputs=1, classes=table.classes, selects="val_macro_f1", sense="max")
    return FactSet.of(measure_splits(table, split(table, SplitPlan())), task)
