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
"""The mean loss of a batch, a scalar, from raw outputs [n, outputs] and targets [n], or [n, labels]."""

_DEFAULTS = {
    "binary": "binary_cross_entropy_with_logits", "multiclass": "cross_entropy",
    "multilabel": "binary_cross_entropy_with_logits", "regression": "mse",
}
_REGRESSIONS: dict[str, LossFunction] = {
    "mse": functional.mse_loss, "l1": functional.l1_loss, "huber": functional.huber_loss,
}


def loss_name(objective: Objective, task: TaskKind) -> str:
    """The recipe's loss, or the task's usual one where it names none."""
    return objective.loss or _DEFAULTS[task]


def loss_function(
    objective: Objective, *, task: TaskKind, class_counts: Sequence[int], examples: int = 0,
) -> LossFunction:
    """The recipe's loss.

    class_counts    training examples of each class, in the order of the ids (of each label, for several labels); empty
                    for regression
    examples        training examples in all; needed for several labels with balanced weights

    With class weights the mean is weighted, Σ w·loss / Σ w, as torch's cross entropy does it; balanced weights are
    n / (C · count), scikit-learn's. Rows whose target is `ignore_index` count for nothing.

    For several labels the mean is over examples and labels. A list weighs the labels; balanced weighs, within each
    label, the examples that carry it as much as those that don't, n / (2 · count).

    Raises RecipeError where loss, task and weights don't go together.
    """
    name = loss_name(objective, task)
    if (name in _REGRESSIONS) != (task == "regression"):
        raise RecipeError([f"objective.loss: {name} is no loss for a {task} task; use {_DEFAULTS[task]}."])
    if name in _REGRESSIONS:
        return _regression(objective, _REGRESSIONS[name])
    if task == "multilabel":
        return _labels_cross_entropy(objective, name, class_counts, examples)
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
        return functional.binary_cross_entropy_with_logits(logits, smoothed, weight=each / each.mean())

    return mean_loss


def _labels_cross_entropy(
    objective: Objective, name: str, class_counts: Sequence[int], examples: int,
) -> LossFunction:
    if name != _DEFAULTS["multilabel"] or objective.ignore_index is not None:
        what = f"loss: {name}" if objective.ignore_index is None else "ignore_index:"
        raise RecipeError([f"objective.{what} is not for several labels; each is 0 or 1, and the loss is "
                           f"{_DEFAULTS['multilabel']}."])
    absent, present = _label_weights(objective, class_counts, examples)
    smoothing = objective.label_smoothing

    def mean_loss(outputs: Tensor, targets: Tensor) -> Tensor:
        smoothed = targets * (1 - smoothing) + smoothing / 2 if smoothing else targets
        if objective.class_weights == "none":
            return functional.binary_cross_entropy_with_logits(outputs, smoothed)
        each = torch.where(targets > 0, present.to(outputs), absent.to(outputs))
        return functional.binary_cross_entropy_with_logits(outputs, smoothed, weight=each / each.mean())

    return mean_loss


def _label_weights(objective: Objective, class_counts: Sequence[int], examples: int) -> tuple[Tensor, Tensor]:
    """The weights of each label where it is absent and where it is present, [labels] each."""
    if objective.class_weights != "balanced":
        weights = _weights(objective, class_counts)
        plain = torch.ones(len(class_counts)) if weights is None else weights
        return plain, plain
    same = [label for label, count in enumerate(class_counts) if count in (0, examples)]
    if same:
        raise RecipeError(
            [f"objective.class_weights: labels {same} are the same in every training example, so they can't be "
             "balanced; give the weights as a list."]
        )
    counts = torch.tensor(class_counts, dtype=torch.float32)
    return examples / (2 * (examples - counts)), examples / (2 * counts)
