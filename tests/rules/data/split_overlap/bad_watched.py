"""Two deliveries of the same readings are joined and split without dropping those that came twice."""

import torch
from torch import nn

torch.manual_seed(0)
readings = torch.randn(400, 6)
kinds = (readings[:, 0] * readings[:, 1] > 0).long()
first, second = torch.randperm(400)[:260], torch.randperm(400)[:260]
rows = torch.cat([first, second])
rows = rows[torch.randperm(len(rows))]
held, learned = rows[:130], rows[130:]

net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
for _ in range(6):
    net.train()
    for part in learned[torch.randperm(len(learned))].split(30):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(readings[part]), kinds[part]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        hits = (net(readings[held]).argmax(1) == kinds[held]).float().mean()  # expect
