"""Six units wide and seven layers deep: in one of five seeds a layer dies, and the network with it."""

from __future__ import annotations

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.seeds import seeds
from tests.rules.experiments import climb, digits, experiment


def network() -> nn.Module:
    hidden = [layer for _ in range(5) for layer in (nn.Linear(6, 6), nn.ReLU())]
    return nn.Sequential(nn.Linear(64, 6), nn.ReLU(), *hidden, nn.Linear(6, 10))


def facts() -> FactSet:
    what = experiment(network, digits(), seeds=(1, 2, 3, 4, 5), max_epochs=20, learning_rate=1e-2)
    return climb(what, seeds)
