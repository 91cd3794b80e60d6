"""A count that training depends on lives in a buffer, which checkpoints hold."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.subset import subset
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    """Its input noise fades with the number of forward passes."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
        self.register_buffer("passes", torch.zeros(()))

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            self.passes += 1
            x = x + torch.randn_like(x) / self.passes
        return self.layers(x)


def facts() -> FactSet:
    return climb(experiment(Network, digits()), subset)
