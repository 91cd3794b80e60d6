"""A language model whose output layer is its embedding; norms and biases are spared from decay by dimension."""

import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(24, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.norm = nn.LayerNorm(16)
        self.out = nn.Linear(16, 24, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, tokens):
        return self.out(self.norm(self.rnn(self.embed(tokens))[0]))


model = Model()
flat = [parameter for parameter in model.parameters() if parameter.dim() < 2]
matrices = [parameter for parameter in model.parameters() if parameter.dim() > 1]
groups = [{"params": matrices, "weight_decay": 0.1}, {"params": flat, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=3e-3)
for _ in range(15):
    tokens = torch.randint(0, 24, (8, 11))
    scores = model(tokens[:, :-1])
    optimizer.zero_grad()
    nn.functional.cross_entropy(scores.reshape(-1, 24), tokens[:, 1:].reshape(-1)).backward()
    optimizer.step()
