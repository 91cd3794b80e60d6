import torch
from torch import nn

torch.manual_seed(5)
units = torch.tensor([60.0, 9.0, 0.02, 0.1, 700.0, 0.004])
usual = torch.tensor([900.0, 70.0, 0.3, 0.8, 9000.0, 0.05])
raw = usual + units * torch.randn(260, 6)
target = ((raw - usual) / units)[:, :2].sum(1) + 0.3 * torch.randn(260)
mean, deviation = raw[:200].mean(0), raw[:200].std(0)
rows = (raw[:200] - mean) / deviation
held_out = raw[200:]
net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1), nn.Flatten(0))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for _ in range(6):
    net.train()
    for part in torch.randperm(200).split(20):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(rows[part]), target[part]).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(nn.functional.mse_loss(net(held_out), target[200:]).item())  # expect
