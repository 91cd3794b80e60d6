"""Wide enough that no layer dies."""

from __future__ import annotations

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.seeds import seeds
from tests.rules.experiments import climb, digits, experiment


def network() -> nn.Module:
    hidden = [layer for _ in range(5) for layer in (nn.Linear(48, 48), nn.ReLU())]
    return nn.Sequential(nn.Linear(64, 48), nn.ReLU(), *hidden, nn.Linear(48, 10))


def facts() -> FactSet:
    what = experiment(network, digits(), seeds=(1, 2, 3, 4, 5), max_epochs=20, learning_rate=3e-3)
    return climb(what, seeds)
