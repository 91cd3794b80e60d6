"""Records a run while it trains: curves, best epoch, early stopping, checkpoints. It knows nothing of Lightning."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assay.facts.task import Sense
from assay.recipe.schema import Checkpointing, EarlyStopping
from assay.training.checkpoints import CheckpointFolder
from assay.training.metrics import Scores
from assay.training.metrics_log import CsvLog
from assay.training.progress import RunProgress
from assay.training.random_streams import stream_states

Report = Callable[[int, int, str], None]
"""Told of progress: optimizer steps taken, steps planned, and one line on what is being done."""


class Mirror(Protocol):
    """A logger that gets a copy of every row of metrics.csv."""

    def log(self, row: Mapping[str, float]) -> None:
        """One row; `step` is among its values."""

    def close(self, *, failed: bool) -> None:
        """The run has ended, or failed."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What chooses the best epoch and ends a run early.

    monitor, sense      a logged quantity, and in which sense it improves
    keep                which checkpoints are kept
    """

    monitor: str
    sense: Sense
    keep: Checkpointing
    early_stopping: EarlyStopping | None


@dataclass(kw_only=True)
class Recorder:
    """Writes one run's folder.

    columns     of metrics.csv, as far as they are known before the first epoch
    max_steps   where the run is to end, None where only epochs count
    planned     optimizer steps of the run, for the report
    """

    folder: Path
    progress: RunProgress
    choice: Choice
    mirror: Mirror
    report: Report
    columns: Sequence[str]
    max_steps: int | None
    planned: int
    _best_now: bool = False
    _began: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.checkpoints = CheckpointFolder(self.folder / "checkpoints")
        self.metrics = CsvLog(self.folder / "metrics.csv", self.columns, keep=self.progress.metric_rows)
        self.timings = CsvLog(self.folder / "timings.csv", ("epoch", "seconds"), keep=self.progress.timing_rows)

    @property
    def steps_left(self) -> float:
        """Optimizer steps until the run's limit."""
        return math.inf if self.max_steps is None else self.max_steps - self.progress.steps

    @property
    def should_stop(self) -> bool:
        """Whether the run has ended."""
        return self.progress.stopped is not None

    def epoch_began(self) -> None:
        """The clock of an epoch starts."""
        self._began = time.perf_counter()
        self.progress.whole = False

    def stepped(self, losses: Sequence[float], *, steps: int, learning_rate: float) -> None:
        """Some optimizer steps were taken; says so in metrics.csv, and stops what isn't finite.

        losses      one a step; none where people's own module doesn't tell
        """
        self.progress.steps += steps
        row: dict[str, float] = {"epoch": self.progress.epochs, "step": self.progress.steps}
        doing = f"epoch {self.progress.epochs + 1}"
        if losses:
            row["train_loss_step"] = mean_loss(losses)
            doing += f", loss {row['train_loss_step']:.4g}"
        self._log({**row, "learning_rate": learning_rate})
        if not math.isfinite(row.get("train_loss_step", 0.0)):
            self.progress.stopped = "not finite"
        elif self.steps_left <= 0:
            self.progress.stopped = "completed"
        self.report(self.progress.steps, self.planned, doing)

    def epoch_ended(self, values: Mapping[str, float], *, whole: bool, details: Scores | None = None) -> None:
        """An epoch was trained and validated.

        values      what metrics.csv says of it, the monitored quantity among them
        whole       it saw all its batches
        details     what is no single number
        """
        progress, epoch = self.progress, self.progress.epochs
        self._log({"epoch": epoch, "step": progress.steps, **values})
        # outputs that are NaN have a largest entry too: their metrics would look like those of a constant prediction
        losses = [values[name] for name in ("train_loss", "val_loss") if name in values]
        score = values[self.choice.monitor] if all(map(math.isfinite, losses)) else math.nan
        self._best_now = progress.saw_score(score, sense=self.choice.sense, epoch=epoch, details=details)
        if not math.isfinite(values.get("train_loss", 0.0)):
            progress.stopped = "not finite"
        early = self.choice.early_stopping
        if early and progress.has_waited_enough(score, sense=self.choice.sense, plan=early):
            progress.stopped = progress.stopped or "early stopping"
        seconds = time.perf_counter() - self._began
        self.timings.append({"epoch": epoch, "seconds": round(seconds, 6)})
        progress.seconds += seconds
        progress.epochs += whole
        progress.whole = whole
        progress.metric_rows, progress.timing_rows = self.metrics.rows, self.timings.rows

    def save(self, state: Callable[[], Mapping[str, Any]]) -> None:
        """Keep the run as it stands after an epoch; `state` gives the weights and what the training loop needs."""
        keep = self.choice.keep
        names = (("best",) if self._best_now and keep.save_best else ()) + (("last",) if keep.save_last else ())
        self._best_now = False
        if not names:
            return
        self.metrics.sync()
        content = {**state(), "random": stream_states(), "progress": self.progress.as_plain()}
        self.checkpoints.save(content, names=names)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.metrics.close()
        self.timings.close()
        self.mirror.close(failed=kind is not None)

    def _log(self, row: Mapping[str, float]) -> None:
        self.metrics.append(row)
        self.mirror.log(row)


def mean_loss(losses: Sequence[float], sizes: Sequence[int] | None = None) -> float:
    """Their mean, each by the size of its batch if given; NaN where one is not finite."""
    if not all(map(math.isfinite, losses)):
        return math.nan
    if sizes is None:
        return math.fsum(losses) / len(losses)
    return math.fsum(loss * size for loss, size in zip(losses, sizes, strict=True)) / sum(sizes)
