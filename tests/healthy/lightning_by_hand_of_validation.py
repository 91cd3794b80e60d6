"""A Lightning module in the older style: outputs gathered per epoch, a metric over all of them, a plateau schedule
on the monitored loss, resumed from its last checkpoint, predictions in the end."""

import logging
import os
import tempfile
import warnings

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import ModelCheckpoint
from sklearn.metrics import roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 32), nn.BatchNorm1d(32), nn.ReLU())
        self.head = nn.Linear(32, 1)
        self.outputs = []

    def forward(self, x):
        return self.head(self.backbone(x)).squeeze(1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.binary_cross_entropy_with_logits(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", F.binary_cross_entropy_with_logits(logits, y))
        self.outputs.append((torch.sigmoid(logits), y))

    def on_validation_epoch_end(self):
        scores, labels = (torch.cat(part).numpy() for part in zip(*self.outputs, strict=True))
        self.outputs.clear()
        if len(set(labels.tolist())) > 1:
            self.log("val_auc", roc_auc_score(labels, scores))

    def predict_step(self, batch, batch_idx):
        return torch.sigmoid(self(batch[0])) > 0.5

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=1e-2)
        scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "monitor": "val_loss"}}


pl.seed_everything(3, verbose=False)
x = torch.randn(300, 6)
y = (x[:, 0] + x[:, 1] > 0).float()
train = DataLoader(TensorDataset(x[:240], y[:240]), 32, shuffle=True, drop_last=True)
val = DataLoader(TensorDataset(x[240:], y[240:]), 32)
with tempfile.TemporaryDirectory() as folder:
    options = dict(accelerator="cpu", devices=1, logger=False, default_root_dir=folder, enable_progress_bar=False,
                   enable_model_summary=False)
    pl.Trainer(max_epochs=2, callbacks=[ModelCheckpoint(folder, save_last=True)], **options).fit(Net(), train, val)
    model = Net()
    trainer = pl.Trainer(max_epochs=4, callbacks=[ModelCheckpoint(folder)], **options)
    trainer.fit(model, train, val, ckpt_path=os.path.join(folder, "last.ckpt"))
    predictions = torch.cat(trainer.predict(model, val))
print((predictions == y[240:].bool()).float().mean().item())
