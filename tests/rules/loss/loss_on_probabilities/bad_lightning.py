"""A LightningModule whose shared step is given what predict_step should be."""

import logging
import warnings

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.SiLU())
        self.head = nn.Sequential(nn.Linear(16, 3), nn.Softmax(dim=-1))
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.head(self.body(x))

    def training_step(self, batch, index):
        x, y = batch
        return self.criterion(self(x), y)  # expect

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


pl.seed_everything(0, verbose=False)
inputs = torch.randn(128, 6)
loader = DataLoader(TensorDataset(inputs, inputs[:, :3].argmax(1)), batch_size=32, shuffle=True)
trainer = pl.Trainer(
    max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Net(), loader)
