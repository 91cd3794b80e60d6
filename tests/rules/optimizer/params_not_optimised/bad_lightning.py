"""A Lightning module hands over its encoder's parameters alone."""

import logging
import warnings

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
torch.manual_seed(0)


class Autoencoder(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 3)
        self.decoder = nn.Linear(3, 8)

    def training_step(self, batch, _):
        (x,) = batch
        return nn.functional.mse_loss(self.decoder(torch.tanh(self.encoder(x))), x)

    def configure_optimizers(self):
        return torch.optim.Adam(self.encoder.parameters(), lr=1e-3)  # expect


trainer = pl.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Autoencoder(), DataLoader(TensorDataset(torch.randn(256, 8)), batch_size=32))
