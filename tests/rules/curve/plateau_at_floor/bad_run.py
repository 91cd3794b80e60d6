"""A whole run with two softmaxes settles just above their floor."""

from __future__ import annotations

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.single import single
from tests.rules.experiments import climb, digits, experiment


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10), nn.Softmax(1))


def facts() -> FactSet:
    return climb(experiment(network, digits(), max_epochs=40, learning_rate=3e-3), single)
