"""The padding mask of an encoder is true at the words, which it then ignores."""

import torch
from torch import Tensor, nn

torch.manual_seed(0)


class Sentiment(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(30, 16, padding_idx=0)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(16, 2)

    def forward(self, words: Tensor) -> Tensor:
        hidden = self.encoder(self.embed(words), src_key_padding_mask=words != 0)  # expect
        kept = (words != 0)[..., None]
        return self.head((hidden * kept).sum(1) / kept.sum(1))


lengths = torch.randint(3, 9, (96,))
words = torch.randint(1, 30, (96, 9)) * (torch.arange(9) < lengths[:, None])
labels = (words[:, 0] > 15).long()
model = Sentiment()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(12):
    batch = slice(16 * (step % 6), 16 * (step % 6) + 16)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(words[batch]), labels[batch]).backward()
    optimizer.step()
