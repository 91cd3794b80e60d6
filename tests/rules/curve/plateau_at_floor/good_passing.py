"""A slow run ends while its loss falls past 1.46, the floor of a doubled softmax."""

from __future__ import annotations

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.single import single
from tests.rules.experiments import climb, digits, experiment


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def facts() -> FactSet:
    what = experiment(network, digits(), max_epochs=18, learning_rate=1e-2, optimizer="SGD", momentum=0.0)
    return climb(what, single)
