"""Classes such as people write: a LightningModule, built on either package, and a data module."""

from __future__ import annotations

from typing import Any

import lightning.pytorch as pl
import pytorch_lightning as other_package
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, TensorDataset

from tests.training.digits import digits


class Steps:
    """What both modules below do."""

    def build(self, hidden: int, rate: float, schedule: str, failing: str) -> None:
        self.net = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, 10))
        self.rate, self.schedule, self.failing = rate, schedule, failing

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)

    def training_step(self, batch: Any, batch_idx: int) -> Tensor:
        if self.failing == "training_step":
            raise ValueError("no such class")  # the failing line
        if self.failing == "exit":
            raise SystemExit(7)
        loss = functional.cross_entropy(self(batch[0]), batch[1])
        self.log("train_loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch: Any, batch_idx: int) -> None:
        outputs = self(batch[0])
        self.log("val_loss", functional.cross_entropy(outputs, batch[1]))
        self.log("val_acc", (outputs.argmax(1) == batch[1]).float().mean())

    def configure_optimizers(self) -> Any:
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.rate)
        if self.schedule == "plateau":
            plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, factor=0.5, threshold=0.5)
            return {"optimizer": optimizer, "lr_scheduler": {"scheduler": plateau, "monitor": "val_loss"}}
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)]


class Net(Steps, pl.LightningModule):
    def __init__(self, hidden: int = 16, rate: float = 1e-2, schedule: str = "step", failing: str = "") -> None:
        super().__init__()
        self.save_hyperparameters()
        self.build(hidden, rate, schedule, failing)


class OtherNet(Steps, other_package.LightningModule):
    def __init__(self, hidden: int = 16) -> None:
        super().__init__()
        self.build(hidden, 1e-2, "step", "")


class ByHand(Steps, pl.LightningModule):
    """Takes its own steps and returns no loss."""

    def __init__(self) -> None:
        super().__init__()
        self.automatic_optimization = False
        self.build(16, 1e-2, "step", "")

    def training_step(self, batch: Any, batch_idx: int) -> None:
        optimizer = self.optimizers()
        optimizer.zero_grad()
        self.manual_backward(functional.cross_entropy(self(batch[0]), batch[1]))
        optimizer.step()


class Digits(pl.LightningDataModule):
    def __init__(self, batch_size: int = 64) -> None:
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage: str) -> None:
        self.parts = [
            TensorDataset(torch.from_numpy(part.x), torch.from_numpy(part.y))
            for part in (digits().train, digits().validation)
        ]

    def train_dataloader(self) -> Any:
        return DataLoader(self.parts[0], batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self) -> Any:
        return DataLoader(self.parts[1], batch_size=256)


class NoModule:
    """Not Lightning's."""
