"""Metrics: scores that are no means over rows, computed batch by batch.

What a call is given is kept, by copy and within a budget, for the evaluation that runs: a row of calls from one line
with a pass of a model before each and no optimizer step between. When the watch ends, the score of all its rows at once
is computed by the same function.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from types import FrameType
from typing import Any

import numpy as np
import torch

from assay.announcing import when_imported
from assay.averaging import averaging_of, reads
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.metrics import BatchScores, MetricFacts
from assay.probe import Clock, Faults, Patches, is_library, user_place
from assay.traffic import Pass, Traffic

SKLEARN = (
    "f1_score", "fbeta_score", "precision_score", "recall_score", "jaccard_score", "roc_auc_score",
    "average_precision_score", "r2_score", "explained_variance_score", "matthews_corrcoef", "cohen_kappa_score",
    "balanced_accuracy_score",
)
TORCHMETRICS = (
    "f1_score", "fbeta_score", "precision", "recall", "jaccard_index", "auroc", "average_precision", "r2_score",
    "explained_variance", "matthews_corrcoef", "cohen_kappa", "pearson_corrcoef", "spearman_corrcoef",
)
"""Functions whose value over all rows is not the mean of their values over parts."""

NUMBERS = 1 << 20
"""Numbers that are kept of one line's running evaluation; longer ones are judged by their first batches."""

LINES = 16

CALLERS = 3
"""Of the user's functions, those whose text is read: a score's own, and its callers."""

Site = tuple[str, int]


@dataclass(eq=False)
class Line:
    """One line that computes a score, and the evaluation that runs or ran last there.

    callers     that line and those of the user's functions around it: file, line, and what is called there
    """

    function: Callable[..., Any]
    place: Place
    callers: tuple[tuple[str, int, str], ...]
    step: int = -1
    passes: int = -1
    given: list[tuple[list[Any], dict[str, Any]]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    kept: int = 0

    @property
    def metric(self) -> str:
        """The function's name."""
        return self.function.__name__


class Metrics:
    """Records the scores that the program computes."""

    name = "metrics"
    kinds: tuple[type[Fact], ...] = (MetricFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._cancels: list[Callable[[], None]] = []
        self._lines: dict[Site, Line] = {}
        self._calls = self._passes = 0
        self._look = faults.contained(self.name, self._passed)
        self._found: tuple[BatchScores, ...] = ()

    def attach(self) -> None:
        """Wrap the functions of both libraries, as soon as the program imports them."""
        for library, names in (("sklearn.metrics", SKLEARN), ("torchmetrics.functional", TORCHMETRICS)):
            wrap = self._faults.contained(self.name, partial(self._wrap, library, names))
            self._cancels.append(when_imported(library, wrap))

    def detach(self) -> None:
        """Put the originals back, compute what the whole gives, and forget what was kept."""
        for cancel in self._cancels:
            cancel()
        self._patches.restore()
        self._leave()
        self._faults.contained(self.name, self._settle)()
        self._lines.clear()

    def facts(self) -> FactSet:
        """The scores that were averaged; absent where none was computed."""
        if not self._calls:
            why = "no score of scikit-learn or torchmetrics was computed that depends on all rows"
            return FactSet(absent={MetricFacts: Absent(why, applicable=False)})
        return FactSet.of(MetricFacts(calls=self._calls, averaged=self._found))

    def _wrap(self, library: str, names: tuple[str, ...]) -> None:
        module = sys.modules[library]
        for name in names:
            if hasattr(module, name):
                self._patches.replace_held(module, name, self._watched)

    def _watched(self, original: Any) -> Any:
        look = self._faults.contained(self.name, self._scored)

        @wraps(original)
        def metric(*arguments: Any, **named: Any) -> Any:
            value = original(*arguments, **named)
            frame = sys._getframe(1)  # noqa: SLF001  # the caller's frame
            if not is_library(frame.f_code.co_filename):
                look(original, arguments, named, (value, frame))
            return value

        return metric

    def _passed(self, event: Pass) -> None:
        """Count the passes of an evaluation; when training goes on there is nothing to count."""
        self._passes += 1
        if event.recorded:
            self._leave()

    def _leave(self) -> None:
        if self._look in self._traffic.passed:
            self._traffic.passed.remove(self._look)

    def _scored(
        self, function: Any, arguments: tuple[Any, ...], named: dict[str, Any], called: tuple[Any, FrameType],
    ) -> None:
        value, frame = called
        self._calls += 1
        if self._look not in self._traffic.passed:
            self._traffic.passed.append(self._look)
        site = frame.f_code.co_filename, frame.f_lineno
        line = self._lines.get(site)
        if line is None:
            place = user_place(frame)
            if place is None or np.ndim(value) or len(self._lines) >= LINES:
                return
            line = self._lines[site] = Line(function, place, tuple(_callers(frame, function.__name__)))
        if line.step != self._clock.steps:
            line.step, line.kept = self._clock.steps, 0
            line.given, line.scores, line.rows = [], [], []
        elif line.passes == self._passes:  # two scores of one pass: tasks or thresholds, not batches
            line.kept = NUMBERS
            line.given = []
        line.passes = self._passes
        _keep(line, arguments, named, float(value))

    def _settle(self) -> None:
        self._found = tuple(found for site in self._lines if (found := _averaged(self._lines, site)) is not None)


def _callers(frame: FrameType | None, called: str) -> Iterator[tuple[str, int, str]]:
    for _ in range(CALLERS):
        if frame is None or is_library(frame.f_code.co_filename):
            return
        yield frame.f_code.co_filename, frame.f_lineno, called
        called, frame = frame.f_code.co_name, frame.f_back


def _keep(line: Line, arguments: tuple[Any, ...], named: dict[str, Any], score: float) -> None:
    kept = [_copy(value) for value in arguments], {name: _copy(value) for name, value in named.items()}
    sizes = [math.prod(value.shape) for value in (*kept[0], *kept[1].values()) if _is_array(value)]
    if not sizes or line.kept + sum(sizes) >= NUMBERS:
        line.kept = NUMBERS
        line.given = []
        return
    line.kept += sum(sizes)
    line.given.append(kept)
    line.scores.append(score)
    line.rows.append(next(len(value) for value in (*kept[0], *kept[1].values()) if _is_array(value)))


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | torch.Tensor) and value.ndim > 0


def _copy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, list | np.ndarray):
        return np.array(value)
    return value


def _like_batches(rows: list[int]) -> bool:
    """All of one size but for the last, which may be smaller: groups differ."""
    return len(set(rows[:-1])) == 1 and rows[-1] <= rows[0]


def _joined(given: list[tuple[list[Any], dict[str, Any]]]) -> tuple[list[Any], dict[str, Any]]:
    """All batches' arguments in one: arrays one after the other, of anything else the first."""
    positional = [_join([batch[0][index] for batch in given]) for index in range(len(given[0][0]))]
    named = {name: _join([batch[1][name] for batch in given]) for name in given[0][1]}
    return positional, named


def _join(values: list[Any]) -> Any:
    if not _is_array(values[0]) or (isinstance(values[0], np.ndarray) and values[0].dtype == object):
        return values[0]
    return torch.cat(values) if isinstance(values[0], torch.Tensor) else np.concatenate(values)


def _averaged(lines: dict[Site, Line], site: Site) -> BatchScores | None:
    line = lines[site]
    if len(line.given) < 2 or line.kept >= NUMBERS or not _like_batches(line.rows):
        return None
    averaging = next(filter(None, (averaging_of(*caller) for caller in line.callers)), None)
    if averaging is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        positional, named = _joined(line.given)
        whole = float(line.function(*positional, **named))
    rows = sum(line.rows)
    return BatchScores(
        metric=line.metric, place=line.place, averaged=averaging.text, batches=len(line.scores), rows=rows,
        mean=float(np.average(line.scores)), whole=whole, settled=_settled(lines, line, rows),
    )


def _settled(lines: dict[Site, Line], line: Line, rows: int) -> bool:
    """Whether another line computes the same over all rows, and what it gives is read."""
    return any(
        other is not line and other.metric == line.metric and other.rows[-1:] == [rows] and reads(*site)
        for site, other in lines.items()
    )
