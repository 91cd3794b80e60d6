"""The metrics that a recipe may name: for which tasks, and in which sense they improve.

For several labels each counts as a class; subset accuracy is the share of examples of which every label is right.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.task import Sense, TaskKind

CLASSIFICATION: tuple[TaskKind, ...] = ("binary", "multiclass")
LABELS: tuple[TaskKind, ...] = (*CLASSIFICATION, "multilabel")
REGRESSION: tuple[TaskKind, ...] = ("regression",)


@dataclass(frozen=True)
class Metric:
    """`sense` is None for what is no single number (a confusion matrix) and so can't select a model."""

    name: str
    tasks: tuple[TaskKind, ...]
    sense: Sense | None


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("macro_f1", LABELS, "max"),
        Metric("weighted_f1", LABELS, "max"),
        Metric("accuracy", CLASSIFICATION, "max"),
        Metric("subset_accuracy", ("multilabel",), "max"),
        Metric("per_class_recall", LABELS, None),
        Metric("confusion_matrix", CLASSIFICATION, None),
        Metric("rmse", REGRESSION, "min"),
        Metric("mae", REGRESSION, "min"),
        Metric("r2", REGRESSION, "max"),
    )
}


def metrics_for(task: TaskKind) -> tuple[str, ...]:
    """Every metric of this task, the selecting one first."""
    return tuple(name for name, metric in METRICS.items() if task in metric.tasks)


def sense_of(monitored: str) -> Sense | None:
    """The sense of a logged quantity ("val_loss", "val_macro_f1"), None where it is not one that assay produces."""
    stem = monitored.removeprefix("val_").removeprefix("train_")
    if stem == "loss":
        return "min"
    metric = METRICS.get(stem)
    return metric.sense if metric else None
