"""A head of twenty for digits, of which there are ten."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.head = nn.Linear(32, 20)  # expect

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
x = torch.randn(320, 10)
loader = DataLoader(TensorDataset(x, x.argmax(1)), batch_size=32, shuffle=True)
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
for _ in range(4):
    for inputs, labels in loader:
        optimizer.zero_grad()
        criterion(model(inputs), labels).backward()
        optimizer.step()
