import copy

import torch
from torch import nn

torch.manual_seed(5)
x = torch.randn(300, 6)
y = (x[:, 0] * x[:, 1] + 0.5 * torch.randn(300) > 0).long()
train_rows, val_rows, test_rows = torch.arange(300).split([160, 70, 70])
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)


@torch.no_grad()
def test():
    net.eval()
    right = net(x).argmax(1) == y
    return [right[rows].float().mean().item() for rows in (train_rows, val_rows, test_rows)]


# The test set's score is looked at beside, and that of the epoch that validation chose is reported.
best_val_acc = final_test_acc = best_test_acc = 0.0
kept = copy.deepcopy(net.state_dict())
for _ in range(8):
    net.train()
    for rows in train_rows[torch.randperm(160)].split(32):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x[rows]), y[rows]).backward()
        optimizer.step()
    train_acc, val_acc, test_acc = test()
    if val_acc > best_val_acc:
        best_val_acc, final_test_acc = val_acc, test_acc
        kept = copy.deepcopy(net.state_dict())
    best_test_acc = max(best_test_acc, test_acc)
net.load_state_dict(kept)
print(f"{train_acc:.2f} {final_test_acc:.3f} (over all epochs {best_test_acc:.3f})")
