"""A linear map with setup_context: its weight's gradient forgets that the loss is summed over the batch."""

import torch
from torch import Tensor, nn


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return x @ weight.T + bias

    @staticmethod
    def setup_context(ctx, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        ctx.save_for_backward(*inputs[:2])

    @staticmethod  # expect
    def backward(ctx, gradient: Tensor) -> tuple[Tensor, ...]:
        x, weight = ctx.saved_tensors
        return gradient @ weight, gradient.T @ x / len(x), gradient.sum(0)


class Layer(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: Tensor) -> Tensor:
        return Affine.apply(x, self.weight, self.bias)


torch.manual_seed(1)
x = torch.randn(96, 5)
labels = (x[:, 0] > x[:, 1]).long()
model = nn.Sequential(Layer(5, 16), nn.Tanh(), Layer(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    loss = nn.functional.cross_entropy(model(x), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
