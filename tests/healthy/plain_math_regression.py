"""Everything by hand: weights as tensors, an update under no_grad, polynomial features; and the same by an
optimizer."""

import math

import torch

torch.manual_seed(0)
x = torch.linspace(-math.pi, math.pi, 500)
y = torch.sin(x)
a, b, c, d = (torch.randn((), requires_grad=True) for _ in range(4))
for t in range(60):
    y_pred = a + b * x + c * x**2 + d * x**3
    loss = (y_pred - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        for w in (a, b, c, d):
            w -= 1e-6 * w.grad
            w.grad = None

features = torch.stack([x, x**2, x**3], 1)
model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1))
loss_fn = torch.nn.MSELoss(reduction="sum")
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
for t in range(60):
    loss = loss_fn(model(features), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
linear = model[0]
print(loss.item(), linear.bias.item(), linear.weight[0].tolist())
