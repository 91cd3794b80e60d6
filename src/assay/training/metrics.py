"""Metrics over a whole set of examples at once, by torchmetrics; networks and baselines are scored by the same code."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor
from torchmetrics.functional import (
    mean_absolute_error,
    mean_squared_error,
    r2_score,
)
from torchmetrics.functional.classification import (
    multiclass_accuracy,
    multiclass_confusion_matrix,
    multiclass_f1_score,
    multiclass_recall,
    multilabel_exact_match,
    multilabel_f1_score,
    multilabel_recall,
)

from assay.errors import DefectError, RecipeError
from assay.facts.task import TaskKind
from assay.recipe.metrics import METRICS, metrics_for

_Score = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The metrics of one set.

    scalars             by name, without prefix
    confusion_matrix    [true][predicted] counts; None for regression and for several labels
    per_class_recall    one share a class, NaN where the set has no example of it; None for regression
    """

    scalars: dict[str, float]
    confusion_matrix: tuple[tuple[int, ...], ...] | None = None
    per_class_recall: tuple[float, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """Scores predictions against targets, each set as a whole: never a mean over batches.

    metrics                     names; those that are no single number are always given along
    classes                     their number (2 for binary tasks), or that of the labels; 0 for regression
    ignore_index                targets that count for nothing
    target_mean, target_scale   regression metrics are in the unit value · scale + mean
    """

    task: TaskKind
    metrics: tuple[str, ...]
    classes: int = 0
    ignore_index: int | None = None
    target_mean: float = 0.0
    target_scale: float = 1.0

    def __post_init__(self) -> None:
        for name in self.metrics:
            if name not in METRICS or self.task not in METRICS[name].tasks:
                known = ", ".join(metrics_for(self.task))
                raise RecipeError([f"evaluation.metrics: {name} is no metric of a {self.task} task; use {known}."])

    def predictions(self, outputs: Tensor) -> Tensor:
        """Class ids, int64 [n], or values [n] in the unit of the targets as they enter, from raw outputs.

        For several labels 0 or 1, int64 [n, labels].
        """
        if self.task == "regression":
            return outputs.squeeze(-1)
        if self.task == "multilabel":
            return (outputs > 0).long()
        if outputs.ndim == 1 or outputs.shape[-1] == 1:
            return (outputs.reshape(-1) > 0).long()
        return outputs.argmax(-1)

    def counted(self, targets: Tensor) -> Tensor:
        """Which examples count, bool [n]: all but those whose target [n] is to be ignored."""
        if self.ignore_index is None or targets.ndim > 1:
            return torch.ones(len(targets), dtype=torch.bool, device=targets.device)
        return targets != self.ignore_index

    def score(self, predictions: Tensor, targets: Tensor) -> Scores:
        """Every metric of predictions [n] against targets [n]; NaN where the set is too small for one.

        For several labels both are [n, labels].
        """
        if self.task == "regression":
            return Scores(scalars=self._regression(predictions.cpu().double(), targets.cpu().double()))
        if self.task == "multilabel":
            return self._labels(predictions.cpu().long(), targets.cpu().long())
        return self._classification(predictions.cpu().long(), targets.cpu().long())

    def _regression(self, predictions: Tensor, targets: Tensor) -> dict[str, float]:
        predicted = predictions * self.target_scale + self.target_mean
        true = targets * self.target_scale + self.target_mean
        kinds: dict[str, _Score] = {
            "mae": mean_absolute_error, "rmse": partial(mean_squared_error, squared=False), "r2": r2_score,
        }
        # R² compares with the variance of the targets, which one example doesn't have
        enough = {name: len(true) >= (2 if name == "r2" else 1) for name in self.metrics}
        return {name: float(kinds[name](predicted, true)) if enough[name] else math.nan for name in self.metrics}

    def _classification(self, predictions: Tensor, targets: Tensor) -> Scores:
        kept = self.counted(targets)
        predictions, targets = predictions[kept], targets[kept]
        if not len(targets):
            return self._nothing_to_score()
        scalars = [name for name in self.metrics if METRICS[name].sense is not None]
        matrix = multiclass_confusion_matrix(predictions, targets, self.classes, validate_args=False)
        recall = multiclass_recall(predictions, targets, self.classes, average="none", validate_args=False)
        recall = torch.where(matrix.sum(1) > 0, recall, torch.nan)
        return Scores(
            scalars={name: self._scalar(name, predictions, targets) for name in scalars},
            confusion_matrix=tuple(tuple(row) for row in matrix.tolist()),
            per_class_recall=tuple(recall.tolist()),
        )

    def _labels(self, predictions: Tensor, targets: Tensor) -> Scores:
        if not len(targets):
            return self._nothing_to_score()
        recall = multilabel_recall(predictions, targets, self.classes, average="none", validate_args=False)
        score = partial(multilabel_f1_score, num_labels=self.classes, validate_args=False)
        kinds: dict[str, _Score] = {
            "macro_f1": partial(score, average="macro"), "weighted_f1": partial(score, average="weighted"),
            "subset_accuracy": partial(multilabel_exact_match, num_labels=self.classes, validate_args=False),
        }
        scalars = [name for name in self.metrics if METRICS[name].sense is not None]
        return Scores(
            scalars={name: float(kinds[name](predictions, targets)) for name in scalars},
            per_class_recall=tuple(torch.where(targets.sum(0) > 0, recall, torch.nan).tolist()),
        )

    def _nothing_to_score(self) -> Scores:
        empty = tuple((0,) * self.classes for _ in range(self.classes))
        scalars = {name: math.nan for name in self.metrics if METRICS[name].sense is not None}
        return Scores(
            scalars=scalars, confusion_matrix=None if self.task == "multilabel" else empty,
            per_class_recall=(math.nan,) * self.classes,
        )

    def _scalar(self, name: str, predictions: Tensor, targets: Tensor) -> float:
        match name:
            case "accuracy":
                score = multiclass_accuracy(predictions, targets, self.classes, average="micro", validate_args=False)
            case "macro_f1":
                score = multiclass_f1_score(predictions, targets, self.classes, average="macro", validate_args=False)
            case "weighted_f1":
                score = multiclass_f1_score(predictions, targets, self.classes, average="weighted", validate_args=False)
            case _:
                raise DefectError(f"The metric {name} is in the catalogue of recipes but has no computation.")
        return float(score)


def monitored_names(metrics: Sequence[str]) -> tuple[str, ...]:
    """What a validation with these metrics logs: the loss and every metric that is a single number."""
    return ("val_loss", *(f"val_{name}" for name in metrics if METRICS[name].sense is not None))
