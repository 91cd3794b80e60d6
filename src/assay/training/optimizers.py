"""The optimizers that a recipe may name, with weight decay only where it belongs."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import nn
from torch.optim import Optimizer

from assay.recipe.schema import Training

_NORMS = (
    nn.modules.batchnorm._NormBase,  # noqa: SLF001  # the common root of all batch and instance norms
    nn.LayerNorm, nn.GroupNorm, nn.RMSNorm,
)
_EMBEDDINGS = (nn.Embedding, nn.EmbeddingBag)


def optimizer_for(
    module: nn.Module, training: Training, *, learning_rate: float | None = None, weight_decay: float | None = None,
) -> Optimizer:
    """The recipe's optimizer over the module's trainable parameters, with torch's defaults for all that isn't said.

    `learning_rate` and `weight_decay` take the place of the recipe's. Decay spares norms, biases and embeddings unless
    `training.decay_all`: they are few, and shrinking them doesn't simplify the function.
    """
    rate = training.learning_rate if learning_rate is None else learning_rate
    decay = training.weight_decay if weight_decay is None else weight_decay
    groups = _groups(module, decay, decay_all=training.decay_all)
    match training.optimizer:
        case "AdamW":
            return torch.optim.AdamW(groups, lr=rate)
        case "Adam":
            return torch.optim.Adam(groups, lr=rate)
        case "SGD":
            return torch.optim.SGD(groups, lr=rate, momentum=training.momentum)
        case "RMSprop":
            return torch.optim.RMSprop(groups, lr=rate)


def _groups(module: nn.Module, decay: float, *, decay_all: bool) -> list[dict[str, object]]:
    parameters = [(name, weight) for name, weight in module.named_parameters() if weight.requires_grad]
    if decay_all or decay == 0:
        return [{"params": [weight for _, weight in parameters], "weight_decay": decay}]
    spared = set(_spared(module))
    kept = [weight for name, weight in parameters if name not in spared]
    rest = [weight for name, weight in parameters if name in spared]
    groups = [{"params": kept, "weight_decay": decay}, {"params": rest, "weight_decay": 0.0}]
    return [group for group in groups if group["params"]]


def _spared(module: nn.Module) -> Iterator[str]:
    """Names of norms' and embeddings' parameters and of all biases."""
    for path, part in module.named_modules():
        for name, _ in part.named_parameters(recurse=False):
            if isinstance(part, (*_NORMS, *_EMBEDDINGS)) or name == "bias" or name.startswith("bias_"):
                yield f"{path}.{name}" if path else name
