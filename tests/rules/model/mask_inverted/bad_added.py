"""A mask of zeros and ones is made a mask of numbers, which are added to the scores."""

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(25, 8)
        self.qkv = nn.Linear(8, 24)
        self.top = nn.Linear(8, 2)

    def forward(self, ids: Tensor) -> Tensor:
        q, k, v = self.qkv(self.embedding(ids)).chunk(3, -1)
        keep = (ids != 0).float()[:, None]
        mixed = scaled_dot_product_attention(q, k, v, attn_mask=keep)  # expect
        return self.top((mixed * keep.transpose(1, 2)).mean(1))


texts = [torch.randint(1, 25, (length,)) for length in torch.randint(2, 8, (60,)).tolist()]
labels = torch.tensor([int(text[0] > 12) for text in texts])
net = Block()
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for step in range(9):
    chosen = torch.arange(20) + 20 * (step % 3)
    ids = pad_sequence([texts[i] for i in chosen.tolist()], batch_first=True)
    optimizer.zero_grad()
    cross_entropy(net(ids), labels[chosen]).backward()
    optimizer.step()
