"""Federated averaging: a global model, copies of it that are trained on clients' own rows with their own
optimizers, and their weighted average loaded back in each round."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(500, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
parts = torch.randperm(400).split([60, 100, 120, 120])
clients = [TensorDataset(x[rows], y[rows]) for rows in parts]
global_model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))


def local_update(model, data):
    model = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for _ in range(2):
        for xb, yb in DataLoader(data, batch_size=20, shuffle=True):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(xb), yb).backward()
            optimizer.step()
    return model.state_dict(), len(data)


for round_number in range(4):
    chosen = torch.randperm(4)[:3].tolist()
    updates = [local_update(global_model, clients[i]) for i in chosen]
    total = sum(size for _, size in updates)
    average = {key: sum(state[key] * (size / total) for state, size in updates) for key in updates[0][0]}
    global_model.load_state_dict(average)
    global_model.eval()
    with torch.no_grad():
        print(round_number, (global_model(x[400:]).argmax(1) == y[400:]).float().mean().item())
