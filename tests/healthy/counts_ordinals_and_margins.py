"""Other kinds of targets: counts with a Poisson loss, ordered classes as cumulative bits, plus and minus one with a
hinge, several labels at once, and one-hot vectors with squared errors."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(300, 8)


def net(outputs):
    return nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, outputs))


def fit(model, loss_of, target, epochs=4):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(epochs):
        model.train()
        for rows in torch.randperm(240).split(30):
            optimizer.zero_grad()
            loss_of(model(x[rows]), target[rows]).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        return model(x[240:])


counts = torch.poisson((0.5 * x[:, 0] + 1).exp())
rates = fit(net(1), lambda out, y: F.poisson_nll_loss(out.squeeze(1), y, log_input=True), counts)
print("counts", (rates.squeeze(1).exp() - counts[240:]).abs().mean().item())

grades = torch.bucketize(x[:, 1], torch.tensor([-1.0, 0.0, 1.0]))
bits = (grades[:, None] > torch.arange(3)).float()
levels = fit(net(3), F.binary_cross_entropy_with_logits, bits)
print("grades", ((levels > 0).sum(1) == grades[240:]).float().mean().item())

signs = torch.where(x[:, 2] > 0, 1.0, -1.0)
margin = fit(net(1), lambda out, y: torch.clamp(1 - y * out.squeeze(1), min=0).mean(), signs)
print("hinge", ((margin.squeeze(1) > 0) == (signs[240:] > 0)).float().mean().item())
soft = fit(net(1), lambda out, y: F.soft_margin_loss(out.squeeze(1), y), signs)

tags = (x[:, :5] > 0.5).float()
scores = fit(net(5), nn.BCEWithLogitsLoss(pos_weight=(tags[:240] == 0).sum(0) / tags[:240].sum(0)), tags)
print("tags", ((scores > 0) == tags[240:].bool()).float().mean().item())

kinds = x[:, :4].argmax(1)
outputs = fit(net(4), lambda out, y: F.mse_loss(out, y), F.one_hot(kinds, 4).float())
print("one-hot", (outputs.argmax(1) == kinds[240:]).float().mean().item())
