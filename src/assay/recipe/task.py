"""What a recipe predicts, as stated or as its data block shows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.facts.task import Sense, TaskFacts, TaskKind
from assay.recipe.metrics import METRICS, metrics_for, sense_of
from assay.recipe.schema import DataBlock, NamedModel, Recipe, TableData
from assay.recipe.split_sizes import is_multilabel, is_stratified, planned_sizes, stratified_sizes

LOSSES: dict[TaskKind, tuple[str, ...]] = {
    "binary": ("binary_cross_entropy_with_logits",),
    "multiclass": ("cross_entropy",),
    "multilabel": ("binary_cross_entropy_with_logits",),
    "regression": ("mse", "l1", "huber"),
}
"""The losses of each task, the one that is filled in first."""


def task_of(recipe: Recipe) -> TaskKind | None:
    """The task that the recipe states, or that its data block shows; None where neither does."""
    return recipe.task or (task_in(recipe.data) if isinstance(recipe.data, DataBlock) else None)


def task_in(data: DataBlock) -> TaskKind | None:
    """The task that a data block shows by its targets: how many, their classes or their variance."""
    if is_multilabel(data):
        return "multilabel"
    classes = class_count(data)
    if classes is not None:
        return "binary" if classes == 2 else "multiclass"
    return "regression" if data.target_variance is not None else None


def class_count(data: DataBlock) -> int | None:
    """How many classes (or labels, where there are several) the data block names or counts."""
    if isinstance(data, TableData) and is_multilabel(data):
        return len(data.target)
    listed = data.classes or data.class_counts
    return len(listed) if listed else None


def outputs_of(recipe: Recipe) -> int | None:
    """Numbers that the model gives for one example: C logits, one logit, one a label, or one value."""
    task = task_of(recipe)
    if task in ("binary", "regression"):
        return 1
    return class_count(recipe.data) if isinstance(recipe.data, DataBlock) else None


def metrics_of(recipe: Recipe) -> tuple[str, ...]:
    """The metrics that are computed: those named, else all of the task, else (task unknown) all there are."""
    task = task_of(recipe)
    return recipe.evaluation.metrics or (metrics_for(task) if task else tuple(METRICS))


def monitored(recipe: Recipe) -> tuple[str, Sense] | None:
    """What selects the model, and its sense: as stated, else the first metric that is a single number."""
    single = [f"val_{name}" for name in metrics_of(recipe) if name in METRICS and METRICS[name].sense is not None]
    monitor = recipe.checkpointing.monitor or (single[0] if single and task_of(recipe) else None)
    sense = recipe.checkpointing.mode or (sense_of(monitor) if monitor else None)
    return (monitor, sense) if monitor and sense else None


def training_class_counts(data: DataBlock) -> tuple[int, ...] | None:
    """Training rows of each class (or label): as stratified splits aim at, else in proportion to all rows."""
    if data.class_counts is None:
        return None
    if is_stratified(data) and data.given_rows is None:
        return tuple(size.train for size in stratified_sizes(data.split, data.class_counts))
    sizes = planned_sizes(data)
    share = data.split.train if sizes is None or not data.rows else sizes.train / data.rows
    return tuple(round(count * share) for count in data.class_counts)


def label_entropy(data: DataBlock) -> float | None:
    """Entropy in nats of the training labels, the mean over several labels; None where they aren't counted."""
    if is_multilabel(data):
        if not data.class_counts or not data.rows:
            return None
        return sum(entropy((count, data.rows - count)) for count in data.class_counts) / len(data.class_counts)
    counts = training_class_counts(data)
    return entropy(counts) if counts and sum(counts) else None


def entropy(counts: Sequence[int]) -> float:
    """Entropy in nats of labels with these counts."""
    total = sum(counts)
    return sum(-count / total * math.log(count / total) for count in counts if count)


def task_facts(recipe: Recipe) -> TaskFacts | None:
    """The task as facts for rules, None where the recipe doesn't say enough.

    Regression targets are standardised on the training rows, so the loss sees a variance of 1.
    """
    task, outputs, selection, data = task_of(recipe), outputs_of(recipe), monitored(recipe), recipe.data
    if task is None or outputs is None or selection is None or not isinstance(data, DataBlock):
        return None
    return TaskFacts(
        kind=task, outputs=outputs, classes=data.classes or (), label_entropy=label_entropy(data),
        target_variance=1.0 if task == "regression" else None,
        prior_bias=isinstance(recipe.model, NamedModel) and recipe.model.prior_bias,
        selects=selection[0], sense=selection[1],
    )
