"""A GPT by hand in the nanoGPT style: weights tied, the loss inside forward, decay by dimension, warm-up and cosine
set by hand, accumulation over micro-steps, loss estimated over random batches of both parts."""

import math

import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(1337)
block, vocab = 16, 20
data = torch.arange(3000) * 7 % 19
data = torch.where(torch.rand(3000) < 0.1, torch.randint(0, vocab, (3000,)), data)
train_data, val_data = data[:2700], data[2700:]


def get_batch(split, size=16):
    source = train_data if split == "train" else val_data
    ix = torch.randint(len(source) - block, (size,))
    return torch.stack([source[i : i + block] for i in ix]), torch.stack([source[i + 1 : i + block + 1] for i in ix])


class Block(nn.Module):
    def __init__(self, n, heads):
        super().__init__()
        self.ln1, self.ln2, self.heads = nn.LayerNorm(n), nn.LayerNorm(n), heads
        self.qkv, self.proj = nn.Linear(n, 3 * n), nn.Linear(n, n)
        self.mlp = nn.Sequential(nn.Linear(n, 4 * n), nn.GELU(), nn.Linear(4 * n, n), nn.Dropout(0.1))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(self.ln1(x)).split(c, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=0.1 if self.training else 0)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, n=32, layers=2, heads=4):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, n), nn.Embedding(block, n)
        self.h = nn.ModuleList(Block(n, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(n)
        self.lm_head = nn.Linear(n, vocab, bias=False)
        self.apply(self._init_weights)
        self.lm_head.weight = self.wte.weight

    def _init_weights(self, m):
        if isinstance(m, nn.Linear | nn.Embedding):
            nn.init.normal_(m.weight, std=0.02)
        if isinstance(m, nn.Linear) and m.bias is not None:
            nn.init.zeros_(m.bias)

    def forward(self, idx, targets=None):
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        for layer in self.h:
            x = layer(x)
        logits = self.lm_head(self.ln_f(x))
        loss = None if targets is None else F.cross_entropy(logits.view(-1, vocab), targets.view(-1), ignore_index=-1)
        return logits, loss


@torch.no_grad()
def estimate_loss(model):
    model.eval()
    out = {
        split: torch.stack([model(*get_batch(split))[1] for _ in range(3)]).mean().item() for split in ("train", "val")
    }
    model.train()
    return out


model = GPT()
decayed = [p for p in model.parameters() if p.dim() >= 2]
others = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW(
    [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=3e-3, betas=(0.9, 0.95)
)
iterations, warmup, accumulation = 24, 4, 2
for it in range(iterations):
    lr = 3e-3 * (it + 1) / warmup if it < warmup else 1.5e-3 * (1 + math.cos(math.pi * (it - warmup) / iterations))
    for group in optimizer.param_groups:
        group["lr"] = lr
    if it % 8 == 0:
        print(it, estimate_loss(model))
    for _ in range(accumulation):
        _, loss = model(*get_batch("train"))
        (loss / accumulation).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
