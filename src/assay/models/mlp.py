"""A multilayer perceptron: fully connected layers with one nonlinearity between each two, after embeddings if any."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from assay.recipe.embedding_width import embedding_width
from assay.recipe.schema import NamedModel

_ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh}

EMBEDDING_DEVIATION = 0.01


class MLP(nn.Module):
    """inputs → hidden… → outputs; each hidden layer is linear, batch norm (if any), activation, dropout (if any).

    Weights and biases start as PyTorch's `nn.Linear` starts them: uniform within ±1/√fan_in.

    The last columns of the input may be codes of categories: each enters by an embedding of its own, which starts as
    fastai starts it (normal, deviation 0.01, cut off at two of them), and at zero for code 0, "none of the known": it
    changes nothing before it has been learned.

    inputs, outputs     columns of the input and numbers given for one example
    plan                hidden sizes, activation, dropout, batch norm
    embedded            sizes of the embeddings' tables, for the last columns; a code outside counts as 0
    """

    def __init__(self, inputs: int, outputs: int, *, plan: NamedModel, embedded: Sequence[int] = ()) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(_embedding(size) for size in embedded)
        layers: list[nn.Module] = []
        width = inputs - len(embedded) + sum(map(embedding_width, embedded))
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
        outputs: Tensor = self.head(self.body(self._embedded(x) if len(self.embeddings) else x))
        return outputs

    def _embedded(self, x: Tensor) -> Tensor:
        plain = x.shape[-1] - len(self.embeddings)
        parts = [x[..., :plain]]
        for position, table in enumerate(self.embeddings):
            codes = x[..., plain + position].long()
            assert isinstance(table, nn.Embedding)
            parts.append(table(torch.where((codes < 0) | (codes >= table.num_embeddings), 0, codes)))
        return torch.cat(parts, dim=-1)

    def set_prior(self, frequencies: Sequence[float]) -> None:
        """Start the head's bias where the outputs predict these class frequencies.

        With one output for two classes that is the log odds of class 1, else the log frequency of each class; a
        class that does not occur counts as if it had half of the rarest one's share.

        For several labels see `set_prior_of_labels`.

        Source: Lin et al., Focal Loss for Dense Object Detection, 2017, section 3.3.
        """
        present = [frequency for frequency in frequencies if frequency > 0]
        shares = torch.tensor([frequency or min(present) / 2 for frequency in frequencies], dtype=torch.float64)
        logs = (shares / shares.sum()).log()
        bias = logs[1:] - logs[:1] if self.head.out_features == 1 else logs
        with torch.no_grad():
            self.head.bias.copy_(bias)

    def set_prior_of_labels(self, positives: Sequence[int], *, examples: int) -> None:
        """Start the head's bias at the log odds of each label, which `positives` of the examples carry.

        One that all or no examples carry counts as if half an example differed.
        """
        counts = torch.tensor(positives, dtype=torch.float64).clamp(0.5, examples - 0.5)
        with torch.no_grad():
            self.head.bias.copy_((counts / (examples - counts)).log())


def _embedding(size: int) -> nn.Embedding:
    table = nn.Embedding(size, embedding_width(size))
    with torch.no_grad():
        nn.init.trunc_normal_(table.weight, std=EMBEDDING_DEVIATION, a=-2 * EMBEDDING_DEVIATION,
                              b=2 * EMBEDDING_DEVIATION)
        table.weight[0].zero_()
    return table
