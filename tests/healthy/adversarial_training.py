"""Adversarial training: inputs are moved along the sign of their gradient (in evaluation mode), the model is trained on
both; gradients that the attack leaves on the weights are cleared."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.rand(400, 20)
w = torch.randn(20)
y = ((x - 0.5) @ w > 0).long()
x_train, y_train, x_test, y_test = x[:320], y[:320], x[320:], y[320:]
model = nn.Sequential(nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)


def fgsm(images, labels, epsilon):
    was_training = model.training
    model.eval()
    images = images.clone().detach().requires_grad_(True)
    loss = F.cross_entropy(model(images), labels)
    loss.backward()
    adversarial = (images + epsilon * images.grad.sign()).clamp(0, 1).detach()
    model.train(was_training)
    return adversarial


for epoch in range(4):
    model.train()
    for rows in torch.randperm(320).split(32):
        clean, labels = x_train[rows], y_train[rows]
        attacked = fgsm(clean, labels, 0.03)
        optimizer.zero_grad()
        loss = 0.5 * F.cross_entropy(model(clean), labels) + 0.5 * F.cross_entropy(model(attacked), labels)
        loss.backward()
        optimizer.step()
model.eval()
attacked = fgsm(x_test, y_test, 0.03)
with torch.no_grad():
    print("clean", (model(x_test).argmax(1) == y_test).float().mean().item())
    print("attacked", (model(attacked).argmax(1) == y_test).float().mean().item())
