"""An encoder and a decoder with causal and padding masks of both kinds, and one memory that is attended to whole."""

import torch
from torch import Tensor, nn

torch.manual_seed(0)


class Translator(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.source = nn.Embedding(20, 8)
        self.target = nn.Embedding(20, 8)
        self.body = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True)
        self.head = nn.Linear(8, 20)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        causal = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        hidden = self.body(
            self.source(source), self.target(target), tgt_mask=causal, src_key_padding_mask=source == 0,
            tgt_key_padding_mask=torch.zeros_like(target).float().masked_fill(target == 0, float("-inf")),
            memory_key_padding_mask=source == 0,
        )
        return self.head(hidden)


def padded(rows: int) -> Tensor:
    return torch.randint(1, 20, (rows, 7)) * (torch.arange(7) < torch.randint(3, 8, (rows, 1)))


source, target = padded(48), padded(48)
model = Translator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(6):
    rows = slice(12 * (step % 4), 12 * (step % 4) + 12)
    scores = model(source[rows], target[rows, :-1])
    wanted = target[rows, 1:]
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
