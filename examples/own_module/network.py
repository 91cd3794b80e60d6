"""A LightningModule and a LightningDataModule as anyone would write them; they know nothing of assay."""

import pytorch_lightning as pl
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Digits(pl.LightningDataModule):
    def __init__(self, batch_size: int = 64) -> None:
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage: str) -> None:
        images, labels = load_digits(return_X_y=True)
        known, _test, known_labels, _test_labels = train_test_split(
            images, labels, test_size=0.2, stratify=labels, random_state=0,
        )
        train, validation, train_labels, validation_labels = train_test_split(
            known, known_labels, test_size=0.25, stratify=known_labels, random_state=0,
        )
        self.train = TensorDataset(torch.tensor(train / 16, dtype=torch.float32), torch.tensor(train_labels))
        self.validation = TensorDataset(
            torch.tensor(validation / 16, dtype=torch.float32), torch.tensor(validation_labels),
        )

    def train_dataloader(self) -> DataLoader:
        return DataLoader(self.train, batch_size=self.batch_size, shuffle=True)

    def val_dataloader(self) -> DataLoader:
        return DataLoader(self.validation, batch_size=256)


class Network(pl.LightningModule):
    def __init__(self, hidden: int = 128, learning_rate: float = 2e-3) -> None:
        super().__init__()
        self.learning_rate = learning_rate
        self.body = nn.Sequential(nn.Linear(64, hidden), nn.ReLU())
        self.head = nn.Linear(hidden, 10)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(pixels))

    def training_step(self, batch: tuple[torch.Tensor, torch.Tensor], _: int) -> torch.Tensor:
        pixels, labels = batch
        loss = nn.functional.cross_entropy(self(pixels), labels)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch: tuple[torch.Tensor, torch.Tensor], _: int) -> None:
        pixels, labels = batch
        logits = self(pixels)
        self.log("val_loss", nn.functional.cross_entropy(logits, labels))
        self.log("val_accuracy", (logits.argmax(1) == labels).float().mean())

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.AdamW(self.parameters(), lr=self.learning_rate)


class NetworkWithSoftmax(Network):
    """The same network with the commonest silent fault: cross_entropy applies softmax a second time."""

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return super().forward(pixels).softmax(1)
