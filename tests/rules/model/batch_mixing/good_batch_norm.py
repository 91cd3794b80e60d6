"""Batch norm mixes examples in training mode, as it should, and not in evaluation mode."""

from __future__ import annotations

from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 10))

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x)


def facts() -> FactSet:
    return climb(experiment(Network, digits()), smoke)
