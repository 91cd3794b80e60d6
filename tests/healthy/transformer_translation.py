"""nn.Transformer with all its masks: padding, causal, memory; label smoothing; the inverse square root schedule per
step."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD, BOS, EOS, VOCAB = 0, 1, 2, 14
torch.manual_seed(0)


def pair():
    tokens = torch.randint(3, VOCAB, (int(torch.randint(3, 7, ())),))
    return (torch.cat([tokens, torch.tensor([EOS])]),
            torch.cat([torch.tensor([BOS]), (tokens - 3 + 1) % (VOCAB - 3) + 3, torch.tensor([EOS])]))


class Translator(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.source, self.target = nn.Embedding(VOCAB, width, PAD), nn.Embedding(VOCAB, width, PAD)
        self.position = nn.Parameter(torch.randn(16, width) * 0.02)
        self.transformer = nn.Transformer(width, 2, 1, 1, 64, dropout=0.1, batch_first=True)
        self.generator = nn.Linear(width, VOCAB)

    def forward(self, src, tgt):
        causal = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        out = self.transformer(
            self.source(src) + self.position[: src.size(1)], self.target(tgt) + self.position[: tgt.size(1)],
            tgt_mask=causal, src_key_padding_mask=(src == PAD).float().masked_fill(src == PAD, float("-inf")),
            tgt_key_padding_mask=(tgt == PAD).float().masked_fill(tgt == PAD, float("-inf")),
            memory_key_padding_mask=(src == PAD).float().masked_fill(src == PAD, float("-inf")),
        )
        return self.generator(out)


def collate(pairs):
    source, target = zip(*pairs, strict=True)
    return pad_sequence(source, True, PAD), pad_sequence(target, True, PAD)


pairs = [pair() for _ in range(320)]
train = DataLoader(pairs[:256], batch_size=32, shuffle=True, collate_fn=collate)
val = DataLoader(pairs[256:], batch_size=32, collate_fn=collate)
model = Translator()
criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)
optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda step: 32**-0.5 * min(max(step, 1) ** -0.5, max(step, 1) * 20**-1.5) * 0.1)
for epoch in range(3):
    model.train()
    for src, tgt in train:
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    model.eval()
    total = count = 0
    with torch.no_grad():
        for src, tgt in val:
            logits = model(src, tgt[:, :-1])
            number = (tgt[:, 1:] != PAD).sum().item()
            total += criterion(logits.flatten(0, 1), tgt[:, 1:].flatten()).item() * number
            count += number
    print(epoch, total / count)
