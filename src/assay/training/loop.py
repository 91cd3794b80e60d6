"""`train`: one run from its seed to its best epoch, repeatable bit for bit and able to go on after any interruption."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.facts.training import Curve
from assay.recipe.schema import Recipe
from assay.training.assembly import Assembly, Start
from assay.training.checkpoints import CheckpointFolder, Found
from assay.training.metrics_log import read_log
from assay.training.mirrors import logger_name, mirror
from assay.training.progress import RunProgress
from assay.training.random_streams import seeded
from assay.training.recorder import Choice, Recorder, Report
from assay.training.trained_run import Limits, TrainedRun

__all__ = ["Limits", "TrainedRun", "train"]

_WHOLE_RUN = Limits()


def train(
    assembly: Assembly, *, recipe: Recipe, seed: int, folder: Path, limits: Limits = _WHOLE_RUN,
    report: Report | None = None,
) -> TrainedRun:
    """Train one run into `folder`, or go on with the one that is there (an empty folder starts anew).

    limits      how far; the recipe's max_epochs by default
    report      told of progress: (optimizer steps taken, steps planned, what is being done)

    A run that ended before within the same limits is read back, not repeated. One that is no longer finite ends, and
    says so in `stopped`. Python's, NumPy's and torch's random streams are left as they were found.

    Raises RecipeError, RunFolderError, MissingExtra; UserCodeError where people's own module or data raise.
    """
    folder.mkdir(parents=True, exist_ok=True)
    checkpoints = CheckpointFolder(folder / "checkpoints")
    epochs = limits.max_epochs or recipe.training.max_epochs
    found = _found(checkpoints, epochs, limits)
    progress = RunProgress.of(found.content["progress"]) if found else RunProgress()
    ended = found is not None and _has_ended(progress, epochs, limits)
    if found is None:
        checkpoints.clear()
    logger = logger_name(recipe.logging)
    fitting, early = assembly.fitting, recipe.training.early_stopping
    recorder = Recorder(
        folder=folder, progress=progress, mirror=mirror("csv" if ended else logger, folder),
        choice=Choice(
            monitor=fitting.monitor, sense=fitting.sense, keep=recipe.checkpointing, early_stopping=early,
        ),
        report=report or _tell_nobody, columns=fitting.columns, max_steps=limits.max_steps,
        planned=_planned(fitting.steps_per_epoch(limits.rows), epochs, limits.max_steps),
    )
    with recorder, seeded(seed):
        if not ended:
            progress.stopped = None
            saved = found.content if found else None
            fitting.fit(Start(recipe=recipe, seed=seed, limits=limits, saved=saved), recorder)
    return _trained_run(recorder, seed=seed, logger=logger, notes=found.notes if found else ())


def _found(checkpoints: CheckpointFolder, epochs: int, limits: Limits) -> Found | None:
    """The checkpoint to go on from: one at the end of an epoch, or at the end of the run."""

    def usable(content: Mapping[str, Any]) -> bool:
        progress = RunProgress.of(content["progress"])
        return progress.whole or _has_ended(progress, epochs, limits)

    return checkpoints.newest(usable)


def _has_ended(progress: RunProgress, epochs: int, limits: Limits) -> bool:
    enough_steps = limits.max_steps is not None and progress.steps >= limits.max_steps
    return progress.stopped in ("early stopping", "not finite") or progress.epochs >= epochs or enough_steps


def _planned(steps_per_epoch: int | None, epochs: int, max_steps: int | None) -> int:
    """Optimizer steps of the run; 0 where they aren't known beforehand."""
    known = [] if steps_per_epoch is None else [epochs * steps_per_epoch]
    return min(known + ([] if max_steps is None else [max_steps]), default=0)


def _tell_nobody(done: int, total: int, doing: str) -> None:
    """Nobody asked for progress."""


def _trained_run(recorder: Recorder, *, seed: int, logger: str, notes: tuple[str, ...]) -> TrainedRun:
    progress, choice = recorder.progress, recorder.choice
    rows = read_log(recorder.folder / "metrics.csv")
    return TrainedRun(
        seed=seed, monitor=choice.monitor, sense=choice.sense, best_score=progress.best_score,
        best_epoch=progress.best_epoch, epochs=progress.epochs, steps=progress.steps,
        stopped=progress.stopped or "completed",
        history=tuple(row for row in rows if "train_loss_step" not in row), curves=_curves(rows, run=f"seed-{seed}"),
        checkpoints=recorder.checkpoints.existing(), confusion_matrix=progress.best_confusion,
        per_class_recall=progress.best_recall, seconds=progress.seconds, logger=logger, notes=notes,
    )


def _curves(rows: tuple[dict[str, float], ...], *, run: str) -> tuple[Curve, ...]:
    """Every series of the log; where a step has two values, the epoch's, which is written last."""
    series: dict[str, dict[int, float]] = {}
    for row in rows:
        for name in row.keys() - {"epoch", "step"}:
            series.setdefault(name, {})[int(row["step"])] = row[name]
    return tuple(
        Curve(run=run, name=name, steps=tuple(points), values=tuple(points.values()))
        for name, points in sorted(series.items())
    )
