"""Two workers each read the whole stream, so that every example comes twice."""

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

torch.manual_seed(3)


class Lines(IterableDataset):
    def __init__(self, rows, kinds):
        self.rows, self.kinds = rows, kinds

    def __iter__(self):
        yield from zip(self.rows, self.kinds, strict=True)


kinds = torch.randint(2, (60,))
stream = Lines(torch.randn(60, 3) + kinds[:, None], kinds)
loader = DataLoader(stream, batch_size=10, num_workers=2)  # expect
model = nn.Linear(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for rows, labels in loader:
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(rows), labels).backward()
    optimizer.step()
