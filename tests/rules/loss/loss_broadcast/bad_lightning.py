"""A Lightning module whose step leaves the squared difference to a method of its own."""

import pytorch_lightning as lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Level(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))

    def error(self, batch: list[torch.Tensor]) -> torch.Tensor:
        x, y = batch
        return (self.net(x) - y).pow(2).mean()  # expect

    def training_step(self, batch: list[torch.Tensor], _: int) -> torch.Tensor:
        loss = self.error(batch)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self) -> torch.optim.Optimizer:
        return torch.optim.Adam(self.parameters(), lr=1e-2)


lightning.seed_everything(3, verbose=False)
x = torch.randn(96, 3)
data = DataLoader(TensorDataset(x, torch.sin(x[:, 0]) + 0.1 * torch.randn(96)), batch_size=24, shuffle=True)
trainer = lightning.Trainer(
    max_epochs=2, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Level(), data)
