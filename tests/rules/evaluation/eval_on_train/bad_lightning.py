"""A LightningModule whose trainer validates on the loader of the training rows."""

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sorter(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x):
        return self.layers(x)

    def training_step(self, batch, _):
        return nn.functional.cross_entropy(self(batch[0]), batch[1])

    def validation_step(self, batch, _):
        self.log("val_loss", nn.functional.cross_entropy(self(batch[0]), batch[1]))  # expect

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


lightning.seed_everything(1, verbose=False)
x = torch.randn(160, 6)
rows = TensorDataset(x, (x.sum(1) > 0).long())
quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
trainer = lightning.Trainer(max_epochs=3, accelerator="cpu", **quiet)
trainer.fit(Sorter(), DataLoader(rows, batch_size=32, shuffle=True), DataLoader(rows, batch_size=80))
