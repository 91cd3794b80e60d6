import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
x = torch.randn(240, 4)
data = TensorDataset(x, x[:, :1] - x[:, 1:2] * x[:, 2:3] + 0.3 * torch.randn(240, 1))
train_loader = DataLoader(torch.utils.data.Subset(data, range(140)), 28, shuffle=True)
valid_loader = DataLoader(torch.utils.data.Subset(data, range(140, 190)), 50)
test_loader = DataLoader(torch.utils.data.Subset(data, range(190, 240)), 50)
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)


def test(loader):
    net.eval()
    test_loss = rows = 0
    with torch.no_grad():
        for inputs, targets in loader:
            test_loss += nn.functional.mse_loss(net(inputs), targets, reduction="sum").item()
            rows += len(targets)
    return test_loss / rows


best_loss, best_state = float("inf"), None
for _ in range(6):
    net.train()
    for inputs, targets in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(inputs), targets).backward()
        optimizer.step()
    test_loss = test(valid_loader)
    if test_loss < best_loss:
        best_loss, best_state = test_loss, copy.deepcopy(net.state_dict())
net.load_state_dict(best_state)
print(f"{test(test_loader):.3f}")
