"""ctc_loss is given scores."""

import torch
from torch import nn

torch.manual_seed(0)
listener = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 5))
ctc = nn.CTCLoss(blank=0)
optimizer = torch.optim.Adam(listener.parameters(), lr=1e-3)
for _ in range(6):
    sound = torch.randn(12, 4, 6)
    words = torch.randint(1, 5, (4, 3))
    scores = listener(sound)
    loss = ctc(scores, words, torch.full((4,), 12), torch.full((4,), 3))  # expect
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
