"""Several heads on one body, whose losses are weighed by learned log-variances (so that the total may go below
zero)."""

import torch
from torch import nn

torch.manual_seed(0)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.regression, self.classification, self.binary = nn.Linear(32, 1), nn.Linear(32, 4), nn.Linear(32, 1)
        self.log_vars = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.body(x)
        return self.regression(h).squeeze(-1), self.classification(h), self.binary(h).squeeze(-1)


x = torch.randn(384, 10)
value, kind, flag = x[:, 0] * 0.1, x[:, :4].argmax(1), (x[:, 5] > 0).float()
model = MultiTask()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
mse, ce, bce = nn.MSELoss(), nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss()
for epoch in range(5):
    model.train()
    for rows in torch.randperm(320).split(32):
        a, b, c = model(x[rows])
        losses = torch.stack([mse(a, value[rows]), ce(b, kind[rows]), bce(c, flag[rows])])
        loss = (torch.exp(-model.log_vars) * losses + model.log_vars).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        a, b, c = model(x[320:])
        print(epoch, mse(a, value[320:]).item(), (b.argmax(1) == kind[320:]).float().mean().item(),
              ((c > 0) == flag[320:].bool()).float().mean().item())
