"""Inputs that say nothing about the labels can still be memorised, one batch of them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(4, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.hidden(x)))


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    y = (rng.random(1000) < 0.5).astype(np.int64)
    x = rng.normal(size=(1000, 4))
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    return climb(experiment(Network, table, learning_rate=1e-2), smoke)
