"""Heavy dropout hinders memorising, so it is switched off for the test."""

from __future__ import annotations

from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.overfit import overfit
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Dropout(0.8), nn.Linear(64, 10))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


def facts() -> FactSet:
    return climb(experiment(Network, digits()), overfit)
