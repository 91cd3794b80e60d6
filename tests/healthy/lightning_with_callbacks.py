"""A Lightning module and data module with torchmetrics, a schedule per step, accumulation, early stopping and the best
checkpoint restored for the test."""

import logging
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint
from pytorch_lightning.loggers import CSVLogger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchmetrics.classification import MulticlassAccuracy

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)


class Data(pl.LightningDataModule):
    def __init__(self, batch_size=32):
        super().__init__()
        self.batch_size = batch_size

    def setup(self, stage=None):
        generator = torch.Generator().manual_seed(0)
        x = torch.randn(400, 8, generator=generator)
        y = (x[:, 0] > 0).long() + (x[:, 1] * x[:, 0] > 0).long()
        self.train, self.val, self.test = random_split(TensorDataset(x, y), [280, 60, 60], generator=generator)

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, self.batch_size)

    def test_dataloader(self):
        return DataLoader(self.test, self.batch_size)


class Model(pl.LightningModule):
    def __init__(self, lr=1e-2):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
        self.train_accuracy, self.val_accuracy = MulticlassAccuracy(3), MulticlassAccuracy(3)
        self.test_accuracy = MulticlassAccuracy(3)

    def forward(self, x):
        return self.net(x)

    def _step(self, batch, metric, name):
        x, y = batch
        logits = self(x)
        loss = nn.functional.cross_entropy(logits, y)
        metric(logits, y)
        self.log(f"{name}_loss", loss, on_epoch=True)
        self.log(f"{name}_acc", metric, on_step=False, on_epoch=True)
        return loss

    def training_step(self, batch, _):
        return self._step(batch, self.train_accuracy, "train")

    def validation_step(self, batch, _):
        self._step(batch, self.val_accuracy, "val")

    def test_step(self, batch, _):
        self._step(batch, self.test_accuracy, "test")

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, weight_decay=0.0)
        total = int(self.trainer.estimated_stepping_batches)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=self.hparams.lr, total_steps=total)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


pl.seed_everything(0, verbose=False)
with tempfile.TemporaryDirectory() as folder:
    best = ModelCheckpoint(folder, monitor="val_acc", mode="max", save_last=True)
    trainer = pl.Trainer(
        max_epochs=4, accelerator="cpu", devices=1, default_root_dir=folder, logger=CSVLogger(folder),
        accumulate_grad_batches=2, gradient_clip_val=1.0, enable_progress_bar=False, enable_model_summary=False,
        callbacks=[best, EarlyStopping("val_loss", patience=3), LearningRateMonitor("step")], log_every_n_steps=2,
    )
    data = Data()
    trainer.fit(Model(), datamodule=data)
    trainer.test(ckpt_path="best", datamodule=data, verbose=False)
