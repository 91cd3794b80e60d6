"""Early stopping waits for the accuracy to fall."""

import logging

import lightning
import torch
from lightning.pytorch.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 2))

    def training_step(self, batch, _):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def validation_step(self, batch, _):
        self.log("valid/accuracy", (self.net(batch[0]).argmax(1) == batch[1]).float().mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.02)


lightning.seed_everything(0, verbose=False)
x = torch.randn(160, 5)
y = (x[:, 0] + x[:, 1] > 0).long()
stop = EarlyStopping("valid/accuracy", patience=2, mode="min")  # expect
trainer = lightning.Trainer(
    max_epochs=5, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False, num_sanity_val_steps=0, callbacks=[stop],
)
trainer.fit(
    Classifier(), DataLoader(TensorDataset(x[:120], y[:120]), batch_size=30, shuffle=True),
    DataLoader(TensorDataset(x[120:], y[120:]), batch_size=40),
)
