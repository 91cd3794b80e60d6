"""A tiny GPT-2 and a tiny T5 of transformers: labels are the inputs (the model shifts them itself), padding is -100."""

import torch
from torch.optim.lr_scheduler import LambdaLR
from transformers import GPT2Config, GPT2LMHeadModel, T5Config, T5ForConditionalGeneration

torch.manual_seed(0)
PAD, EOS = 0, 1
lengths = torch.randint(5, 12, (96,))
ids = (torch.randint(2, 20, (96, 1)) + torch.arange(12) * 3) % 18 + 2
mask = torch.arange(12) < lengths[:, None]
ids = torch.where(mask, ids, torch.full_like(ids, PAD))
ids[torch.arange(96), lengths - 1] = EOS
labels = ids.masked_fill(~mask, -100)

gpt = GPT2LMHeadModel(
    GPT2Config(vocab_size=24, n_positions=16, n_embd=32, n_layer=2, n_head=2, bos_token_id=EOS, eos_token_id=EOS)
)
optimizer = torch.optim.AdamW(gpt.parameters(), lr=2e-3, weight_decay=0.0)
schedule = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
for epoch in range(2):
    gpt.train()
    for rows in torch.randperm(80).split(16):
        loss = gpt(input_ids=ids[rows], attention_mask=mask[rows].long(), labels=labels[rows]).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(gpt.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    gpt.eval()
    with torch.no_grad():
        print(epoch, gpt(input_ids=ids[80:], attention_mask=mask[80:].long(), labels=labels[80:]).loss.exp().item())

t5 = T5ForConditionalGeneration(
    T5Config(
        vocab_size=24,
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=PAD,
        pad_token_id=PAD,
        eos_token_id=EOS,
    )
)
optimizer = torch.optim.Adam(t5.parameters(), lr=3e-3)
target = labels.flip(0)
for rows in torch.randperm(80).split(16):
    t5.train()
    loss = t5(input_ids=ids[rows], attention_mask=mask[rows].long(), labels=target[rows]).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
