"""Comparisons: how the program itself turns outputs into predictions and compares these with labels.

Methods of tensors are replaced only where something could go wrong: where a loss leaves positions out, where inputs are
filled up, where a model puts out one logit an example. Each line is then looked at a few times.
"""

from __future__ import annotations

import sys
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from types import FrameType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import rnn

from assay.comparison_text import reduced
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.score_inputs import ComparisonFacts, Misreading, MisreadScore, PaddedScore
from assay.output_fate import TELLS, Methods
from assay.probe import Clock, Faults, Patches, is_library, user_place
from assay.recent_outputs import RecentOutputs
from assay.sequences import coded, ends
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic
from assay.weak_identity import IdentitySet

PER_LINE, LINES = 8, 64
"""Comparisons of one line that are looked at, and lines."""

NUMBERS = 1 << 18
"""Larger outputs and labels are left alone."""

FEWEST = 8
"""Positions below which a comparison says nothing."""

OVER_CLASSES = ("cross_entropy", "nll_loss")
COMPARES, DECIDES = ("eq", "__eq__"), ("gt", "__gt__", "ge", "__ge__")


@dataclass(eq=False)
class Latest:
    """The latest pass, and copies of the outputs since the last step.

    shape   of its output, None where that can't be told
    given   what the model was given, [n, t] ids or where vectors are zero
    """

    recent: RecentOutputs = field(default_factory=RecentOutputs)
    model: weakref.ref[nn.Module] | None = None
    shape: torch.Size | None = None
    given: Tensor | None = None

    def take(self, passed: Pass) -> None:
        """A pass came."""
        output, given = first_tensor([passed.output]), first_tensor((passed.arguments, passed.named))
        self.model = self.shape = self.given = None
        if output is not None and output.is_floating_point() and output.numel() <= NUMBERS:
            self.model, self.shape = weakref.ref(passed.module), output.shape
            self.given = coded(given) if given is not None and given.numel() <= NUMBERS else None
            self.recent.take(output, passed.step)

    @property
    def single(self) -> bool:
        """Whether it put out one score an example."""
        return self.shape is not None and self.shape.numel() == self.shape[0]

    def decided(self, values: Tensor) -> bool:
        """Whether these are what may be made of the last outputs, position by position."""
        return self.recent.made(values.flatten())

    def is_output(self, values: Any) -> bool:
        """Whether these are the last outputs' own numbers, laid out anew or not."""
        made = self.recent.last("as they are", values.numel()) if isinstance(values, Tensor) else None
        return made is not None and bool((made == values.detach().cpu().flatten()).all())


@dataclass(eq=False)
class Evidence:
    """What the program shows of positions that don't count, and of models that put out logits.

    ignored     by the ignore_index of a loss that met it
    fillers     by what embeddings take for padding and what pad_sequence fills with
    columns     outputs of shape [n, 1]
    logits      models that are trained on them
    """

    ignored: set[int] = field(default_factory=set)
    fillers: set[float] = field(default_factory=set)
    columns: bool = False
    logits: IdentitySet[nn.Module] = field(default_factory=IdentitySet)

    @property
    def wanted(self) -> bool:
        """Whether comparisons are worth a look."""
        return bool(self.ignored or self.fillers or self.columns or self.logits)

    def left_out(self, labels: Tensor, latest: Latest) -> tuple[Tensor, str] | None:
        """Where labels don't count, and how that is known."""
        for value in self.ignored:
            there = labels == value
            if bool(there.any()) and not bool(there.all()):
                return there, "ignore_index"
        at = None if latest.given is None else ends(latest.given)
        if at is None or at.value not in self.fillers or at.filled.numel() != labels.numel():
            return None
        there = at.filled.reshape(labels.shape)
        constant = len(labels[there].unique()) == 1
        return (there, "the filler of the model's input") if constant else None


@dataclass(eq=False)
class Lines:
    """The user's lines that compare and decide, each looked at a few times."""

    latest: Latest = field(default_factory=Latest)
    evidence: Evidence = field(default_factory=Evidence)
    looks: Counter[tuple[str, int]] = field(default_factory=Counter)
    padded: dict[Place | None, PaddedScore] = field(default_factory=dict)
    misread: dict[tuple[Place | None, Misreading], MisreadScore] = field(default_factory=dict)

    def compare(self, operands: tuple[Any, ...], _: Any, frame: FrameType) -> None:
        """Values are compared."""
        first, second = operands[:2]
        if not isinstance(first, Tensor) or not isinstance(second, Tensor) or not min(first.dim(), second.dim()):
            return
        if first.shape == second.shape:
            self.looks[_line(frame)] += 1
            for labels, predictions in ((second, first), (first, second)):
                if _ids(labels) and self.latest.decided(predictions) and self._counts(labels, predictions, frame):
                    return
        elif _meet_crosswise(first, second) and self.latest.single:
            self.looks[_line(frame)] += 1
            same = torch.equal(first.flatten(), second.flatten())
            if not same and (self.latest.decided(first) or self.latest.decided(second)):
                self._misreads("broadcast", frame, len(first))

    def _counts(self, labels: Tensor, predictions: Tensor, frame: FrameType) -> bool:
        """Whether the line counts positions that are left out elsewhere."""
        out = self.evidence.left_out(labels.detach().cpu(), self.latest)
        way = reduced(*_line(frame)) if out is not None else None
        if out is None or way is None:
            return False
        hits = int((predictions == labels).cpu()[out[0]].sum())
        if way == "sum" and not hits:  # what can't be hit may be left out of the number that it is divided by
            return False
        place = user_place(frame)
        former = self.padded.get(place)
        if former is None or former.hits < hits:
            self.padded[place] = PaddedScore(
                metric=None, place=place, padded=int(out[0].sum()), positions=labels.numel(), hits=hits,
                known_by=out[1], mean=way != "sum",
            )
        return True

    def decide(self, operands: tuple[Any, ...], _: Any, frame: FrameType) -> None:
        """Values are compared with a bound."""
        halved = len(operands) > 1 and isinstance(operands[1], float) and operands[1] == 0.5
        if halved and self._logits(operands[0], frame):
            wrong = int(((operands[0] > 0) & (operands[0] <= 0.5)).sum())
            self._misreads("half of a logit", frame, operands[0].numel(), wrong)

    def round(self, operands: tuple[Any, ...], _: Any, frame: FrameType) -> None:
        """Values are rounded."""
        if self._logits(operands[0], frame):
            rounded = operands[0].detach().round()
            wrong = int((rounded != (operands[0] > 0)).sum())
            self._misreads("half of a logit", frame, operands[0].numel(), wrong)

    def choose(self, operands: tuple[Any, ...], named: Any, frame: FrameType) -> None:
        """The largest along an axis is taken."""
        axis = operands[1] if len(operands) > 1 else named.get("dim")
        scores = operands[0]
        along_one = isinstance(axis, int) and scores.dim() == 2 and scores.shape[axis] == 1 < len(scores)
        if along_one and self.latest.single and self.latest.is_output(scores):
            self.looks[_line(frame)] += 1
            self._misreads("single output", frame, len(scores))

    def _logits(self, scores: Any, frame: FrameType) -> bool:
        """Whether these are logits of a model that is trained on logits: a probability lies between 0 and 1."""
        model = self.latest.model() if self.latest.model is not None else None
        if model not in self.evidence.logits or not self.latest.is_output(scores):
            return False
        self.looks[_line(frame)] += 1
        return bool(((scores < 0) | (scores > 1)).any())

    def _misreads(self, fault: Misreading, frame: FrameType, rows: int, wrong: int | None = None) -> None:
        place = user_place(frame)
        former = self.misread.get((place, fault))
        if former is None or (former.wrong or 0) < (wrong or 0):
            self.misread[place, fault] = MisreadScore(fault=fault, metric=None, place=place, rows=rows, wrong=wrong)


class Comparisons:
    """Records comparisons that count padding, or take outputs for what they aren't."""

    name = "comparisons"
    kinds: tuple[type[Fact], ...] = (ComparisonFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._methods = Methods()
        self._known: IdentitySet[nn.Module] = IdentitySet()
        self._lines = Lines()
        self._arming = faults.contained(self.name, self._arm)
        self._armed = False

    def attach(self) -> None:
        """Listen until there is something to look at."""
        sampled = self._traffic.sampled
        sampled.passed.append(self._faults.contained(self.name, self._passed))
        sampled.scored.append(self._faults.contained(self.name, self._scored))
        sampled.stepping.append(self._arming)
        padded = self._faults.contained(self.name, self._fills)
        self._patches.replace(rnn, "pad_sequence", lambda original: _filling(padded, original))

    def detach(self) -> None:
        """Put the originals back."""
        self._methods.away()
        self._patches.restore()
        self._lines.latest = Latest()

    def facts(self) -> FactSet:
        """The lines that were looked at; absent where there was none."""
        if not self._lines.looks:
            why = "no comparison by hand in which padding or logits could be mistaken"
            return FactSet(absent={ComparisonFacts: Absent(why, applicable=False)})
        lines = self._lines
        return FactSet.of(ComparisonFacts(
            looked=lines.looks.total(), padded=tuple(lines.padded.values()), misread=tuple(lines.misread.values()),
        ))

    def _fills(self, arguments: Any, named: Any) -> None:
        self._lines.evidence.fillers.add(float(arguments[2] if len(arguments) > 2 else named.get("padding_value", 0.0)))

    def _passed(self, passed: Pass) -> None:
        if not passed.recorded and not self._armed:
            return
        if passed.module not in self._known:
            self._known.add(passed.module)
            pads = {each.padding_idx for each in passed.module.modules() if isinstance(each, nn.Embedding)}
            self._lines.evidence.fillers |= {float(pad) for pad in pads if pad is not None}
        self._lines.latest.take(passed)
        shape = self._lines.latest.shape
        self._lines.evidence.columns |= shape is not None and len(shape) == 2 and shape[1] == 1 < shape[0]

    def _scored(self, scored: Scored) -> None:
        if not scored.recorded:
            return
        arguments, latest, evidence = scored.arguments, self._lines.latest, self._lines.evidence
        labels, model = arguments.get("target"), latest.model() if latest.model is not None else None
        if scored.name in OVER_CLASSES and isinstance(labels, Tensor) and not labels.is_floating_point():
            ignored = arguments["ignore_index"]
            if labels.numel() <= NUMBERS and bool((labels == ignored).any()):
                evidence.ignored.add(int(ignored))
        on_logits = scored.name == "binary_cross_entropy_with_logits" and latest.is_output(arguments["input"])
        if on_logits and model is not None:
            evidence.logits.add(model)

    def _arm(self, _: Any) -> None:
        """Replace the methods, while no other probe has."""
        if not self._lines.evidence.wanted or hasattr(Tensor.argmax, TELLS):
            return
        self._armed = True
        self._traffic.sampled.stepping.remove(self._arming)
        lines = self._lines
        looks: list[tuple[tuple[str, ...], Callable[..., None]]] = [(COMPARES, lines.compare)]
        if lines.evidence.logits:
            looks += [(DECIDES, lines.decide), (("round",), lines.round), (("argmax", "max"), lines.choose)]
        for names, look in looks:
            for name in names:
                made = partial(self._telling, self._faults.contained(self.name, look))
                self._methods.put(Tensor, name, made)
                if not name.startswith("__"):
                    self._methods.put(torch, name, made)

    def _telling(self, look: Callable[..., None], original: Any) -> Any:
        is_compiling, looks = torch.compiler.is_compiling, self._lines.looks

        @wraps(original)
        def method(*arguments: Any, **named: Any) -> Any:
            result = original(*arguments, **named)
            if not is_compiling():
                frame = _past_other_looks(sys._getframe(1))  # noqa: SLF001  # the caller's frame
                line = frame.f_code.co_filename, frame.f_lineno
                if looks[line] < PER_LINE and len(looks) <= LINES and not is_library(line[0]):
                    look(arguments, named, frame)
            return result

        return method


def _filling(look: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def pad_sequence(*arguments: Any, **named: Any) -> Any:
        look(arguments, named)
        return original(*arguments, **named)

    return pad_sequence


def _past_other_looks(frame: FrameType) -> FrameType:
    """The frame that called a method that another probe has wrapped too."""
    while frame.f_globals.get("__name__") == Methods.__module__ and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _line(frame: FrameType) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno


def _ids(labels: Tensor) -> bool:
    return not labels.is_floating_point() and FEWEST <= labels.numel() <= NUMBERS


def _meet_crosswise(first: Tensor, second: Tensor) -> bool:
    """Whether one is [n, 1] and the other [n]."""
    shapes = {tuple(first.shape), tuple(second.shape)}
    return len(shapes) == 2 and shapes == {(len(first),), (len(first), 1)} and len(first) >= FEWEST
