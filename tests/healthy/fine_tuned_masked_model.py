"""A tiny BERT by hand: masked language modelling first, with 80/10/10 masking and -100 elsewhere, then a classifier
with a new head and decay left off gains and biases."""

import torch
from transformers import (
    AlbertConfig,
    AlbertForSequenceClassification,
    BertConfig,
    BertForMaskedLM,
    get_linear_schedule_with_warmup,
)

torch.manual_seed(0)
PAD, MASK = 0, 3
config = BertConfig(
    vocab_size=40,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=64,
    max_position_embeddings=16,
)
text = torch.randint(5, 40, (128, 12))
text[:, 1::2] = (text[:, ::2] + 1).clamp(max=39)
lm = BertForMaskedLM(config)


def mask_tokens(ids):
    labels = ids.clone()
    chosen = torch.rand(ids.shape) < 0.15
    labels[~chosen] = -100
    roll = torch.rand(ids.shape)
    ids = ids.clone()
    ids[chosen & (roll < 0.8)] = MASK
    random = chosen & (roll >= 0.8) & (roll < 0.9)
    ids[random] = torch.randint(5, 40, ids.shape)[random]
    return ids, labels


def groups(model, decay):
    plain = [
        p
        for n, p in model.named_parameters()
        if not any(k in n for k in ("bias", "LayerNorm.weight", "layer_norm.weight"))
    ]
    free = [
        p for n, p in model.named_parameters() if any(k in n for k in ("bias", "LayerNorm.weight", "layer_norm.weight"))
    ]
    return [{"params": plain, "weight_decay": decay}, {"params": free, "weight_decay": 0.0}]


optimizer = torch.optim.AdamW(groups(lm, 0.01), lr=1e-3)
scheduler = get_linear_schedule_with_warmup(optimizer, 2, 12)
lm.train()
for epoch in range(3):
    for rows in torch.randperm(128).split(32):
        ids, labels = mask_tokens(text[rows])
        loss = lm(input_ids=ids, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()

albert = AlbertForSequenceClassification(
    AlbertConfig(
        vocab_size=40,
        embedding_size=16,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=16,
        num_labels=2,
    )
)
labels = (text[:, 0] > 21).long()
optimizer = torch.optim.AdamW(groups(albert, 0.01), lr=5e-4)
for step in range(8):
    albert.train()
    rows = torch.randperm(96)[:16]
    out = albert(input_ids=text[rows], attention_mask=(text[rows] != PAD).long(), labels=labels[rows])
    out.loss.backward()
    optimizer.step()
    optimizer.zero_grad()
albert.eval()
with torch.no_grad():
    print((albert(input_ids=text[96:]).logits.argmax(-1) == labels[96:]).float().mean().item())
