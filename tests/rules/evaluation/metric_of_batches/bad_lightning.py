"""A Lightning module logs a precision of each validation batch; Lightning averages them."""

import logging

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics.functional import precision

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Model(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def training_step(self, batch, _):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def validation_step(self, batch, _):
        found = self.net(batch[0]).argmax(1)
        self.log("precision", precision(found, batch[1], task="multiclass", num_classes=3, average="macro"))  # expect

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.05)


lightning.seed_everything(2, verbose=False)
x = torch.randn(150, 4)
y = (x[:, 0] > 0.9).long() + (x[:, 1] > 0.2).long()
trainer = lightning.Trainer(
    max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False, num_sanity_val_steps=0,
)
trainer.fit(
    Model(), DataLoader(TensorDataset(x[:100], y[:100]), batch_size=20, shuffle=True),
    DataLoader(TensorDataset(x[100:], y[100:]), batch_size=10),
)
