"""Modules of one's own for binary tasks: one gives logits, one probabilities."""

from __future__ import annotations

from typing import Any

import lightning.pytorch as pl
import torch
from torch import Tensor, nn
from torch.nn import functional


class Logits(pl.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(30, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)

    def loss(self, batch: Any) -> Tensor:
        return functional.binary_cross_entropy_with_logits(self(batch[0]).squeeze(1), batch[1])

    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        return self.loss(batch)

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        self.log("val_loss", self.loss(batch))

    def configure_optimizers(self) -> Any:
        return torch.optim.Adam(self.parameters(), lr=1e-2)


class Probabilities(Logits):
    def forward(self, x: Tensor) -> Tensor:
        return self.net(x).sigmoid()

    def loss(self, batch: Any) -> Tensor:
        return functional.binary_cross_entropy(self(batch[0]).squeeze(1), batch[1])
