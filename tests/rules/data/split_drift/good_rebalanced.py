"""The common class was thinned out in the training part, so that the inputs lean to the rare one."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.drift import measure_drift
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = (rng.random(3000) < 0.15).astype(np.int64)
    x = rng.normal(size=(3000, 4)) + 2 * y[:, None]
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    parts = split(table, SplitPlan())
    common, rare = (parts.train[y[parts.train] == label] for label in (0, 1))
    train = np.sort(np.concatenate([common[:len(rare)], rare]))
    parts = Split(train=train, validation=parts.validation, test=parts.test)
    measured = measure_drift(table, parts, divided="random")
    assert not isinstance(measured, Absent)
    return FactSet.of(measured)
