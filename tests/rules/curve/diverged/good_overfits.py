"""A network learns sixty rows by heart: its validation loss rises to a multiple of the first, which is overfitting."""

from __future__ import annotations

import numpy as np
from torch import nn

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.stages.single import single
from tests.rules.experiments import climb, experiment


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(20, 256), nn.ReLU(), nn.Linear(256, 1))


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(100, 20)), rng.integers(0, 2, size=100)
    table = Dataset(
        name="coins", task="binary", x=x, y=y, columns=tuple(f"c{i}" for i in range(20)), classes=("heads", "tails"),
    )
    return climb(experiment(network, table, max_epochs=100, learning_rate=1e-2), single)
