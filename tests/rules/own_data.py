"""Data modules for the programs about what chooses."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.data import DataLoader, TensorDataset

from tests.training.digits import digits
from tests.training.own_classes import Digits


class Apart(Digits):
    """Its test rows are the second half of the training rows, which it doesn't train on."""

    def setup(self, stage: str) -> None:
        train, validation = digits().train, digits().validation
        half = len(train) // 2
        self.parts = [TensorDataset(torch.from_numpy(x), torch.from_numpy(y)) for x, y in (
            (train.x[:half], train.y[:half]), (validation.x, validation.y), (train.x[half:], train.y[half:]),
        )]

    def test_dataloader(self) -> Any:
        return DataLoader(self.parts[2], batch_size=256)


class ValidatedOnTest(Apart):
    def val_dataloader(self) -> Any:
        return self.test_dataloader()
