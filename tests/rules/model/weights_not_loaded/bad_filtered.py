"""Names are filtered before a strict load: no name is left, so the model is handed its own weights."""

import io

import torch
from torch import nn


def read_weights(model, file):
    file.seek(0)
    known = torch.load(file)
    own = model.state_dict()
    own.update({name: value for name, value in known.items() if name in own})
    model.load_state_dict(own)  # expect


torch.manual_seed(1)
file = io.BytesIO()
torch.save({f"encoder.{name}": value for name, value in nn.Linear(4, 8).state_dict().items()}, file)
encoder = nn.Linear(4, 8)
read_weights(encoder, file)
head = nn.Linear(8, 1)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=1e-3)
for _ in range(5):
    x = torch.randn(20, 4)
    optimizer.zero_grad()
    nn.functional.mse_loss(head(encoder(x).relu()), x[:, :1]).backward()
    optimizer.step()
