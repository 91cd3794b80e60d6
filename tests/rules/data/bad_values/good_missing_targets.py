"""Rows that have no target yet are left out when the file is read; the rest is sound."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.facts.table import TableFacts
from assay.measure.columns import measure_columns
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 4))
    y = (x[:, 0] > 0).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    read = TableFacts(files=("table.csv",), missing_targets=(3, 70))
    return FactSet.of(measure_columns(table, split(table, SplitPlan())), read)
