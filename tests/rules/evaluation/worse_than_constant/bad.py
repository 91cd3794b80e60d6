"""The targets were shuffled apart from their rows on the way."""

from __future__ import annotations

import numpy as np
from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.baselines import baselines
from assay.stages.single import single
from tests.rules.experiments import climb, experiment, waves


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))


def facts() -> FactSet:
    table = waves()
    np.random.default_rng(1).shuffle(table.y)
    return climb(experiment(network, table, max_epochs=60, learning_rate=3e-3), baselines, single)
