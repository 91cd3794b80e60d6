"""One finished training run, and how far a run may go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.facts.task import Sense
from assay.facts.training import Curve

Stopped = Literal["completed", "early stopping", "not finite"]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far a run may go; None is as far as the recipe says.

    max_epochs      epochs in all, those before a resume included; the recipe's schedule keeps its own length
    max_steps       optimizer steps in all; the last epoch is then cut short, and validated
    rows            the first rows of the training set alone; validation is always on the whole set
    """

    max_epochs: int | None = None
    max_steps: int | None = None
    rows: int | None = None


@dataclass(frozen=True, kw_only=True)
class TrainedRun:
    """What one run came to.

    monitor, sense      the logged quantity that chose the best epoch, and in which sense it improves
    best_score          its best finite value, None where there is none
    best_epoch          the epoch of that value, from 0
    epochs, steps       trained in all: whole epochs, optimizer steps
    stopped             "completed" (all epochs, or its limits), "early stopping" or "not finite"
    history             metrics.csv's row of each epoch: epoch, step, train_loss, val_loss, metrics, learning_rate
    curves              every series of metrics.csv over steps; `train_loss_step` is the mean loss since the last point
    checkpoints         paths of those that exist among best, last and previous
    confusion_matrix, per_class_recall      of the best epoch, None for regression and people's own modules
    seconds             wall time of training and validation, earlier sessions included
    logger              where the curves went beside metrics.csv: "csv" (nowhere else), "mlflow" or "tensorboard"
    notes               what the user should know: a damaged checkpoint that was passed over, say
    """

    seed: int
    monitor: str
    sense: Sense
    best_score: float | None
    best_epoch: int | None
    epochs: int
    steps: int
    stopped: Stopped
    history: tuple[Mapping[str, float], ...]
    curves: tuple[Curve, ...]
    checkpoints: Mapping[str, Path]
    confusion_matrix: tuple[tuple[int, ...], ...] | None
    per_class_recall: tuple[float, ...] | None
    seconds: float
    logger: str = "csv"
    notes: tuple[str, ...] = ()
