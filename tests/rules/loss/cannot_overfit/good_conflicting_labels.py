"""Every row stands twice, with one label or the other: what conflicts within the batch is left out of the test."""

from __future__ import annotations

import numpy as np
from torch import nn

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.stages.overfit import overfit
from tests.rules.experiments import climb, experiment


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 128), nn.ReLU(), nn.Linear(128, 3))


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(300, 4)), 2, axis=0)
    y = rng.integers(0, 3, size=600)
    table = Dataset(name="raters", task="multiclass", x=x, y=y, columns=tuple("abcd"), classes=("r", "s", "t"))
    return climb(experiment(network, table, batch_size=256, learning_rate=1e-2), overfit)
