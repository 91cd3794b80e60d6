"""Scores of libraries: what scikit-learn's and torchmetrics' metrics are given, held against the models' own outputs.

The functions are wrapped once the program has imported them; outputs of passes that autograd doesn't record are copied
from then on, within a budget, until the next optimizer step.
"""

from __future__ import annotations

import inspect
import sys
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from assay.announcing import when_imported
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.score_inputs import LibraryScoreFacts, Misreading, MisreadScore, PaddedScore
from assay.probe import Clock, Faults, Patches, is_library, user_place
from assay.recent_outputs import RecentOutputs
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic
from assay.weak_identity import IdentitySet

RANKINGS = ("average_precision_score", "precision_recall_curve", "roc_auc_score", "roc_curve")
UNEVEN = (
    "average_precision_score", "balanced_accuracy_score", "classification_report",
    "explained_variance_score", "fbeta_score", "precision_recall_fscore_support", "precision_score", "r2_score",
    "recall_score",
)
"""Functions that say something else when their two arguments are swapped."""

OTHERS = ("accuracy_score", "cohen_kappa_score", "f1_score", "jaccard_score", "matthews_corrcoef")

RANKING_OBJECTS = ("AUROC", "AveragePrecision", "PrecisionRecallCurve", "ROC")
UNEVEN_OBJECTS = ("FBetaScore", "Precision", "R2Score", "Recall", "Specificity")

ENOUGH = 20
"""Examples below which scores may well be 0 and 1 alone."""

LINES, PER_LINE = 32, 8
NUMBERS = 1 << 18
OVER_CLASSES = ("cross_entropy", "nll_loss")


@dataclass(eq=False)
class Given:
    """What metrics are given, beside what models put out last.

    logits      models that are trained on logits
    model       the one that was called last
    ignored     by the ignore_index of a loss that met it
    """

    recent: RecentOutputs = field(default_factory=RecentOutputs)
    logits: IdentitySet[nn.Module] = field(default_factory=IdentitySet)
    model: weakref.ref[nn.Module] | None = None
    ignored: set[int] = field(default_factory=set)
    looks: Counter[Place] = field(default_factory=Counter)
    padded: dict[Place, PaddedScore] = field(default_factory=dict)
    misread: dict[tuple[Place, Misreading], MisreadScore] = field(default_factory=dict)

    @property
    def scored_model(self) -> nn.Module | None:
        """The model that was called last, if it is there."""
        return self.model() if self.model is not None else None

    def function(self, function: Any, arguments: tuple[Any, ...], named: dict[str, Any], frame: FrameType) -> None:
        """A function of scikit-learn's is called."""
        place = user_place(frame)
        if place is None or self.looks[place] >= PER_LINE or len(self.looks) > LINES:
            return
        self.looks[place] += 1
        given = list(inspect.signature(function).bind(*arguments, **named).arguments.values())
        labels, predictions = _flat(given[0]), _flat(given[1])
        if labels is None or predictions is None or len(labels) != len(predictions):
            return
        judge = partial(self._misreads, function.__name__, place, len(labels))
        if function.__name__ in RANKINGS and self._ranks_decisions(labels, predictions):
            judge("decisions ranked")
        if function.__name__ in UNEVEN and self._swapped(labels, predictions):
            judge("swapped")
        if function.__name__ not in RANKINGS and (wrong := self._halved(predictions)):
            judge("half of a logit", wrong)
        if "labels" not in named and self.recent.made(predictions) and not self.recent.made(labels):
            self._counts(function.__name__, place, labels, predictions)

    def update(self, kind: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        """An object of torchmetrics is given a batch."""
        place = user_place()
        given = [*arguments, *(named[name] for name in ("preds", "target") if name in named)]
        if place is None or self.looks[place] >= PER_LINE or len(self.looks) > LINES or len(given) < 2:
            return
        self.looks[place] += 1
        predictions, labels = _flat(given[0]), _flat(given[1])
        if labels is None or predictions is None or len(labels) != len(predictions):
            return
        if kind.endswith(RANKING_OBJECTS) and self._ranks_decisions(labels, predictions):
            self._misreads(kind, place, len(labels), "decisions ranked")
        if kind.endswith(UNEVEN_OBJECTS) and self._swapped(labels, predictions):
            self._misreads(kind, place, len(labels), "swapped")

    def _ranks_decisions(self, labels: Tensor, predictions: Tensor) -> bool:
        """Whether what stands for scores are a model's decisions; a column of the data may be 0/1 too."""
        return _decided(predictions) and _decided(labels) and self.recent.made(predictions)

    def _swapped(self, labels: Tensor, predictions: Tensor) -> bool:
        """Whether what stands for labels is the model's own, and what stands for predictions is no model's."""
        return len(labels) >= ENOUGH and self.recent.made(labels) and not self.recent.made(predictions)

    def _halved(self, predictions: Tensor) -> int:
        """How many of these decisions were cut at 0.5 of a logit and come out otherwise than cut at 0."""
        scores = self.recent.last("as they are", len(predictions))
        if self.scored_model not in self.logits or scores is None or not bool(((scores < 0) | (scores > 1)).any()):
            return 0
        at_half, at_zero = (self.recent.last(way, len(predictions)) for way in ("above a half", "above zero"))
        return int((at_zero != predictions).sum()) if _equal(at_half, predictions) and at_zero is not None else 0

    def _counts(self, metric: str, place: Place, labels: Tensor, predictions: Tensor) -> None:
        for value in self.ignored:
            there = labels == value
            padded = int(there.sum())
            if 0 < padded < len(labels) and len(labels) >= ENOUGH:
                self.padded[place] = PaddedScore(
                    metric=metric, place=place, padded=padded, positions=len(labels),
                    hits=int((predictions == labels)[there].sum()), known_by="ignore_index", mean=True,
                )

    def _misreads(self, metric: str, place: Place, rows: int, fault: Misreading, wrong: int | None = None) -> None:
        self.misread[place, fault] = MisreadScore(fault=fault, metric=metric, place=place, rows=rows, wrong=wrong)


class LibraryScores:
    """Records metrics that are given padding, or something else than they take."""

    name = "scores of libraries"
    kinds: tuple[type[Fact], ...] = (LibraryScoreFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._cancels: list[Callable[[], None]] = []
        self._given, self._listens = Given(), False

    def attach(self) -> None:
        """Wait for the libraries, and listen to losses."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.scored.append(self._faults.contained(self.name, self._scored))
        for library, wrap in (("sklearn.metrics", self._wrap_functions), ("torchmetrics.metric", self._wrap_objects)):
            self._cancels.append(when_imported(library, self._faults.contained(self.name, wrap)))

    def detach(self) -> None:
        """Put the originals back."""
        for cancel in self._cancels:
            cancel()
        self._patches.restore()
        self._given.recent.forget()

    def facts(self) -> FactSet:
        """The calls that were looked at; absent where there was none."""
        given = self._given
        if not given.looks:
            why = "no metric of scikit-learn or torchmetrics was called"
            return FactSet(absent={LibraryScoreFacts: Absent(why, applicable=False)})
        return FactSet.of(LibraryScoreFacts(
            looked=given.looks.total(), padded=tuple(given.padded.values()), misread=tuple(given.misread.values()),
        ))

    def _passed(self, passed: Pass) -> None:
        self._given.model = weakref.ref(passed.module)
        output = first_tensor([passed.output]) if self._listens else None
        if output is not None and output.is_floating_point() and not passed.recorded:
            self._given.recent.take(output, passed.step)

    def _scored(self, scored: Scored) -> None:
        """Models that are trained on logits, and what losses ignore."""
        if not scored.recorded:
            return
        model = self._given.scored_model
        labels = scored.arguments.get("target")
        if scored.name == "binary_cross_entropy_with_logits" and model is not None:
            self._given.logits.add(model)
        elif scored.name in OVER_CLASSES and _ids(labels) and bool((labels == scored.arguments["ignore_index"]).any()):
            self._given.ignored.add(int(scored.arguments["ignore_index"]))

    def _wrap_functions(self) -> None:
        self._listens = True
        module = sys.modules["sklearn.metrics"]
        for name in {*RANKINGS, *UNEVEN, *OTHERS}:
            if hasattr(module, name):
                self._patches.replace_held(module, name, self._function)

    def _function(self, original: Any) -> Any:
        look = self._faults.contained(self.name, self._given.function)

        @wraps(original)
        def metric(*arguments: Any, **named: Any) -> Any:
            frame = _asking(sys._getframe(1))  # noqa: SLF001  # the caller's frame
            if not is_library(frame.f_code.co_filename):
                look(original, arguments, named, frame)
            return original(*arguments, **named)

        return metric

    def _wrap_objects(self) -> None:
        self._listens = True
        metric = sys.modules["torchmetrics.metric"].Metric
        self._patches.replace(metric, "_wrap_update", self._updating)

    def _updating(self, original: Any) -> Any:
        look = self._faults.contained(self.name, self._given.update)

        @wraps(original)
        def wrap(metric: Any, method: Any) -> Any:
            wrapped = original(metric, method)
            kind = type(metric).__name__

            @wraps(wrapped)
            def watched(*arguments: Any, **named: Any) -> Any:
                look(kind, arguments, named)
                return wrapped(*arguments, **named)

            return watched

        return wrap


def _asking(frame: FrameType) -> FrameType:
    """The frame that called a function that other probes have wrapped too."""
    while str(frame.f_globals.get("__name__", "")).startswith("assay.probes.") and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _flat(values: Any) -> Tensor | None:
    """Numbers as a flat tensor, None where they are none or too many."""
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    if array.dtype.kind not in "biuf" or not 0 < array.size <= NUMBERS:
        return None
    return torch.from_numpy(array.astype(np.float64 if array.dtype.kind == "f" else np.int64).reshape(-1))


def _ids(labels: Any) -> bool:
    return isinstance(labels, Tensor) and not labels.is_floating_point() and labels.numel() <= NUMBERS


def _decided(values: Tensor) -> bool:
    """Whether these are decisions: zeros and ones alone, both of them."""
    return len(values) >= ENOUGH and bool(((values == 0) | (values == 1)).all()) and bool((values != values[0]).any())


def _equal(made: Tensor | None, values: Tensor) -> bool:
    return made is not None and bool((made == values).all())
