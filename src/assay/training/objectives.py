"""The losses that a recipe may name, as functions of raw outputs and targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from assay.errors import RecipeError
from assay.facts.task import TaskKind
from assay.recipe.schema import Objective

LossFunction = Callable[[Tensor, Tensor], Tensor]
"""The mean loss of a batch, a scalar, from raw outputs [n, outputs] and targets [n]."""

_DEFAULTS = {"binary": "binary_cross_entropy_with_logits", "multiclass": "cross_entropy", "regression": "mse"}
_REGRESSIONS: dict[str, LossFunction] = {
    "mse": functional.mse_loss, "l1": functional.l1_loss, "huber": functional.huber_loss,
}


def loss_name(objective: Objective, task: TaskKind) -> str:
    """The recipe's loss, or the task's usual one where it names none."""
    return objective.loss or _DEFAULTS[task]


def loss_function(objective: Objective, *, task: TaskKind, class_counts: Sequence[int]) -> LossFunction:
    """The recipe's loss.

    class_counts    training examples of each class, in the order of the ids; empty for regression

    With class weights the mean is weighted, Σ w·loss / Σ w, as torch's cross entropy does it; balanced weights are
    n / (C · count), scikit-learn's. Rows whose target is `ignore_index` count for nothing.

    Raises RecipeError where loss, task and weights don't go together.
    """
    name = loss_name(objective, task)
    if (name in _REGRESSIONS) != (task == "regression"):
        raise RecipeError([f"objective.loss: {name} is no loss for a {task} task; use {_DEFAULTS[task]}."])
    if name in _REGRESSIONS:
        return _regression(objective, _REGRESSIONS[name])
    weights = _weights(objective, class_counts)
    if name == "cross_entropy":
        return _cross_entropy(objective, weights)
    return _binary_cross_entropy(objective, weights)


def _regression(objective: Objective, loss: LossFunction) -> LossFunction:
    if objective.class_weights != "none" or objective.label_smoothing or objective.ignore_index is not None:
        raise RecipeError(
            ["objective: class_weights, label_smoothing and ignore_index are for classes; a regression has none."]
        )

    def mean_loss(outputs: Tensor, targets: Tensor) -> Tensor:
        return loss(outputs.squeeze(-1), targets)

    return mean_loss


def _weights(objective: Objective, class_counts: Sequence[int]) -> Tensor | None:
    if objective.class_weights == "none":
        return None
    if objective.class_weights == "balanced":
        empty = [label for label, count in enumerate(class_counts) if not count]
        if empty:
            raise RecipeError(
                [f"objective.class_weights: classes {empty} have no training example, so none can be balanced; give "
                 "the weights as a list."]
            )
        return torch.tensor([sum(class_counts) / (len(class_counts) * count) for count in class_counts])
    if len(objective.class_weights) != len(class_counts):
        raise RecipeError(
            [f"objective.class_weights: {len(objective.class_weights)} weights for {len(class_counts)} classes; give "
             "one a class."]
        )
    return torch.tensor(objective.class_weights)


def _cross_entropy(objective: Objective, weights: Tensor | None) -> LossFunction:
    ignored = -100 if objective.ignore_index is None else objective.ignore_index  # -100 is torch's "none"

    def mean_loss(outputs: Tensor, targets: Tensor) -> Tensor:
        return functional.cross_entropy(
            outputs, targets if targets.dtype is torch.int64 else targets.long(),
            weight=None if weights is None else weights.to(outputs), ignore_index=ignored,
            label_smoothing=objective.label_smoothing,
        )

    return mean_loss


def _binary_cross_entropy(objective: Objective, weights: Tensor | None) -> LossFunction:
    smoothing, ignored = objective.label_smoothing, objective.ignore_index

    def mean_loss(outputs: Tensor, targets: Tensor) -> Tensor:
        logits = outputs.squeeze(-1)
        if ignored is not None:
            kept = targets != ignored
            logits, targets = logits[kept], targets[kept]
        smoothed = targets * (1 - smoothing) + smoothing / 2 if smoothing else targets
        if weights is None:
            return functional.binary_cross_entropy_with_logits(logits, smoothed)
        each = weights.to(logits)[targets.long()]
        losses = functional.binary_cross_entropy_with_logits(logits, smoothed, weight=each, reduction="sum")
        return losses / each.sum()

    return mean_loss
