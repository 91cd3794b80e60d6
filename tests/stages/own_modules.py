"""Modules that people might write, with faults that stop a step."""

from __future__ import annotations

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.nn import functional as F


class TooFewOutputs(pl.LightningModule):
    """Five outputs for ten classes."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(64, 5)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)

    def training_step(self, batch: tuple[Tensor, Tensor], _: int) -> Tensor:
        loss = F.cross_entropy(self(batch[0]), batch[1])
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch: tuple[Tensor, Tensor], _: int) -> None:
        self.log("val_loss", F.cross_entropy(self(batch[0]), batch[1]))

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.SGD(self.parameters(), lr=0.1)


class FailsInItsStep(TooFewOutputs):
    """Enough outputs, and a mistake of another kind."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(64, 10)

    def training_step(self, batch: tuple[Tensor, Tensor], _: int) -> Tensor:
        return F.cross_entropy(self(batch[0]), batch[1]) + self.missing


class Sound(TooFewOutputs):
    """Ten outputs, and an accuracy of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(64, 10)

    def validation_step(self, batch: tuple[Tensor, Tensor], _: int) -> None:
        outputs = self(batch[0])
        self.log("val_loss", F.cross_entropy(outputs, batch[1]))
        self.log("val_accuracy", (outputs.argmax(1) == batch[1]).float().mean())
