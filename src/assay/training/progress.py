"""Where a run stands: what its checkpoints hold beside weights and optimizer, and what decides when to stop."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from assay.facts.task import Sense
from assay.recipe.schema import EarlyStopping
from assay.training.metrics import Scores
from assay.training.trained_run import Stopped


@dataclass(kw_only=True)
class RunProgress:
    """The one record that changes while a run goes on. All values are plain, so that a checkpoint can hold them.

    epochs              whole epochs trained
    steps               optimizer steps taken
    whole               it stands at the end of an epoch, so that training can go on from here
    stopped             why it ended; None while it may go on
    best_score, best_epoch, best_confusion, best_recall     of the best epoch so far
    waited              evaluations since early stopping last saw an improvement, from `reference`
    metric_rows, timing_rows                                rows in the logs when it was saved
    seconds             wall time of all whole epochs
    """

    epochs: int = 0
    steps: int = 0
    whole: bool = True
    stopped: Stopped | None = None
    best_score: float | None = None
    best_epoch: int | None = None
    best_confusion: tuple[tuple[int, ...], ...] | None = None
    best_recall: tuple[float, ...] | None = None
    reference: float | None = None
    waited: int = 0
    metric_rows: int = 0
    timing_rows: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, saved: Mapping[str, Any]) -> RunProgress:
        """What `as_plain` gave."""
        return cls(**{each.name: saved[each.name] for each in fields(cls)})

    def as_plain(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)

    def saw_score(self, score: float, *, sense: Sense, epoch: int, details: Scores | None) -> bool:
        """Take note of an evaluation; True where it is the best so far."""
        if not math.isfinite(score) or not _better(score, self.best_score, sense=sense, by=0.0):
            return False
        self.best_score, self.best_epoch = score, epoch
        if details is not None:
            self.best_confusion, self.best_recall = details.confusion_matrix, details.per_class_recall
        return True

    def has_waited_enough(self, score: float, *, sense: Sense, plan: EarlyStopping) -> bool:
        """Whether early stopping ends the run after this evaluation."""
        if math.isfinite(score) and _better(score, self.reference, sense=sense, by=plan.min_delta):
            self.reference, self.waited = score, 0
            return False
        self.waited += 1
        return self.waited >= plan.patience


def _better(score: float, than: float | None, *, sense: Sense, by: float) -> bool:
    if than is None:
        return True
    return score > than + by if sense == "max" else score < than - by
