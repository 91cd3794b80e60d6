"""A multilayer perceptron: fully connected layers with one nonlinearity between each two."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from assay.recipe.schema import NamedModel

_ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}


class MLP(nn.Module):
    """inputs → hidden… → outputs; each hidden layer is linear, batch norm (if any), activation, dropout (if any).

    Weights and biases start as PyTorch's `nn.Linear` starts them: uniform within ±1/√fan_in.

    inputs, outputs     columns of the input and numbers given for one example
    plan                hidden sizes, activation, dropout, batch norm
    """

    def __init__(self, inputs: int, outputs: int, *, plan: NamedModel) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        width = inputs
        for hidden in plan.hidden:
            layers.append(nn.Linear(width, hidden))
            if plan.batch_norm:
                layers.append(nn.BatchNorm1d(hidden))
            layers.append(_ACTIVATIONS[plan.activation]())
            if plan.dropout > 0:
                layers.append(nn.Dropout(plan.dropout))
            width = hidden
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, outputs)

    def forward(self, x: Tensor) -> Tensor:
        """Raw outputs [n, outputs] (no softmax, no sigmoid) for inputs [n, inputs]."""
        outputs: Tensor = self.head(self.body(x))
        return outputs

    def set_prior(self, frequencies: Sequence[float]) -> None:
        """Start the head's bias where the outputs predict these class frequencies.

        With one output for two classes that is the log odds of class 1, else the log frequency of each class; a
        class that does not occur counts as if it had half of the rarest one's share.

        Source: Lin et al., Focal Loss for Dense Object Detection, 2017, section 3.3.
        """
        present = [frequency for frequency in frequencies if frequency > 0]
        shares = torch.tensor([frequency or min(present) / 2 for frequency in frequencies], dtype=torch.float64)
        logs = (shares / shares.sum()).log()
        bias = logs[1:] - logs[:1] if self.head.out_features == 1 else logs
        with torch.no_grad():
            self.head.bias.copy_(bias)
