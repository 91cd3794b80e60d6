"""Scoring: models that are scored, not trained, while they are in training mode.

Two kinds of passes come into question. One that autograd doesn't record is followed until the next event: is its
output given to a loss, or turned into predictions that are compared with other values? One that it records is scored
if a loss is given its output and no backward pass has reached it by the time that its graph is gone.

While an output is followed, some methods of tensors are replaced; at all other times they are as PyTorch made them.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import ScoredInTraining, ScoringFacts
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Backward, Pass, Scored, Traffic

JUDGED = 256
"""Passes of either kind that are followed."""

FATES = 16
"""Passes of one line after which it is known whether they are scored."""

WALKED = 64
"""Backward passes whose graph is walked to see which of several passes they reach."""

WAITING = 16
"""Recorded passes that may wait for a backward pass; gradient accumulation over a sum has several."""

UNREACHED = 2
"""Recorded passes that no backward pass reached, at one line: one may be the last before a loop is left."""

KEY = "assay scoring"
"""The key of our mark in a graph node's metadata."""

DECIDES = ("argmax", "ge", "__ge__", "gt", "__gt__", "le", "__le__", "lt", "__lt__", "max", "round", "sort", "topk")
"""Methods that turn scores into predictions."""

LEADS_ON = (
    "bool", "cat", "clone", "contiguous", "cpu", "detach", "exp", "flatten", "float", "double", "__getitem__",
    "log_softmax", "long", "int", "reshape", "sigmoid", "softmax", "squeeze", "tanh", "to", "transpose", "t", "type",
    "view", "view_as",
)
COMPARES = ("eq", "__eq__", "ne", "__ne__")
SUBTRACTS = ("sub", "__sub__", "__rsub__", "subtract")
MEASURES = ("abs", "__abs__", "pow", "__pow__", "square", "mean", "sum", "sqrt", "mul", "__mul__")
READS = ("item", "tolist", "__float__", "numpy")

TELLS = "_tells_assay"

OURS = str(Path(__file__).parents[1])

Route = Literal["loss", "comparison"]
Line = tuple[Place | None, bool]


class Mark:
    """Hangs on a graph node, and lives as long as it."""


@dataclass(eq=False)
class Model:
    """What is known of one model.

    trained     an optimizer has stepped after a recorded pass of it
    waits       recorded passes in training mode since the last backward pass, and `doubtful` once there were two
    """

    trained: bool = False
    waits: int = 0
    doubtful: bool = False


@dataclass(eq=False)
class Candidate:
    """One pass that may be an evaluation; `sampled` if it repeats the one before, whose output wasn't scored."""

    number: int
    model: str
    place: Place | None
    active: tuple[str, ...]
    recorded: bool
    step: int
    sampled: bool = False
    how: Route | None = None
    mark: weakref.ref[Mark] | None = None


class Following:
    """One output, what is made of it, and whether that is compared with other values."""

    def __init__(self, candidate: Candidate, output: Tensor) -> None:
        self.candidate = candidate
        self._output = weakref.ref(output)
        # Of `torch.argmax(model(x), 1)` Python has looked up the function before the pass, so that what it makes is
        # known by its shape alone.
        self._one_each = output.shape[:1] + output.shape[2:]
        self._made: dict[int, weakref.ref[Tensor]] = {}
        self._decisions: dict[int, weakref.ref[Tensor]] = {}
        self._differences: dict[int, weakref.ref[Tensor]] = {}

    def holds(self, value: Any) -> bool:
        """Whether this is the output, its `.data` (another tensor of the same memory), or was made of it."""
        if not isinstance(value, Tensor):
            return False
        output = self._output()
        same = output is not None and value.shape == output.shape and value.data_ptr() == output.data_ptr()
        return same or _among(value, self._made)

    def lead_on(self, operands: tuple[Any, ...], result: Any) -> None:
        """What is made of the output, element by element or by laying it out anew."""
        given = operands[0] if isinstance(operands[0], list | tuple) else operands[:1]
        if any(map(self.holds, given)):
            _keep(result, self._made)
            if any(_among(each, self._decisions) for each in given):
                _keep(result, self._decisions)

    def decide(self, operands: tuple[Any, ...], result: Any) -> None:
        """Scores become predictions."""
        if self.holds(operands[0]):
            _keep(result, self._made)
            _keep(result, self._decisions)

    def compare(self, operands: tuple[Any, ...], _: Any) -> None:
        """Predictions meet labels."""
        if self._meets_others(operands) or all(map(self._predicts, operands[:2])):
            self.candidate.how = self.candidate.how or "comparison"

    def subtract(self, operands: tuple[Any, ...], result: Any) -> None:
        """Predictions meet targets."""
        if self._meets_others(operands):
            _keep(result, self._differences)

    def measure(self, operands: tuple[Any, ...], result: Any) -> None:
        """An error is made of a difference."""
        if _among(operands[0], self._differences):
            _keep(result, self._differences)

    def read(self, operands: tuple[Any, ...], _: Any) -> None:
        """An error is read, or predictions leave for a library that scores them."""
        read = operands[0]
        error = bool(self._differences) and read.dim() == 0 and read.is_floating_point()
        predictions = _among(read, self._decisions) or (self._predicts(read) and not read.is_floating_point())
        if error or (predictions and read.numel() > 1):
            self.candidate.how = self.candidate.how or "comparison"

    def _predicts(self, value: Any) -> bool:
        """Whether this has the shape of one prediction for each example."""
        alike = isinstance(value, Tensor) and value.shape == self._one_each and value.numel() > 1
        return alike and not self.candidate.sampled  # of an average over samples, the shape says nothing

    def _meets_others(self, operands: tuple[Any, ...]) -> bool:
        """Whether predictions meet as many other values: labels or targets, and not a threshold."""
        held = [each for each in operands[:2] if self.holds(each)]
        others = [each for each in operands[:2] if isinstance(each, Tensor) and not self.holds(each)]
        return bool(held and others) and others[0].numel() >= held[0].numel()


def _among(value: Any, kept: dict[int, weakref.ref[Tensor]]) -> bool:
    return isinstance(value, Tensor) and id(value) in kept and kept[id(value)]() is value


def _keep(result: Any, kept: dict[int, weakref.ref[Tensor]]) -> None:
    for part in result if isinstance(result, tuple) else (result,):
        if isinstance(part, Tensor):
            kept[id(part)] = weakref.ref(part)


class Methods:
    """Methods of tensors that are replaced for a while, and then gone again without a trace."""

    def __init__(self) -> None:
        self._put: list[tuple[Any, str, Any]] = []

    def put(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        """Replace one, if there is such a method."""
        original = getattr(owner, name, None)
        if original is not None:
            self._put.append((owner, name, vars(owner).get(name)))
            setattr(owner, name, made(original))

    def away(self) -> None:
        """Put everything back as it was."""
        while self._put:
            owner, name, own = self._put.pop()
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)


class Scoring:
    """Records the passes that are scored in training mode."""

    name = "scoring"
    kinds: tuple[type[Fact], ...] = (ScoringFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._models: weakref.WeakKeyDictionary[nn.Module, Model] = weakref.WeakKeyDictionary()
        self._stepping: set[Model] = set()
        self._methods = Methods()
        self._following: Following | None = None
        self._waiting: list[Candidate] = []
        self._lines: dict[Line, ScoredInTraining] = {}
        self._fates: Counter[Line] = Counter()
        self._walks = self._drops = 0
        self._trained = False
        self._former: tuple[Any, Any] = (None, None)

    def attach(self) -> None:
        """Listen to all that passes."""
        for listeners, look in (
            (self._traffic.passed, self._passed), (self._traffic.scored, self._scored),
            (self._traffic.began, self._began), (self._traffic.stepped, self._stepped),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """Follow nothing any more."""
        self._end()
        self._bury()
        self._waiting.clear()

    def facts(self) -> FactSet:
        """The lines at which models were scored in training mode, often enough to be sure."""
        if not self._trained:
            return FactSet(absent={ScoringFacts: Absent("no module was trained", applicable=False)})
        sure = [line for line in self._lines.values() if not line.recorded or line.passes >= UNREACHED]
        return FactSet.of(ScoringFacts(scored=tuple(sure), judged=self._fates.total()))

    def _passed(self, passed: Pass) -> None:
        self._end()
        dropped, self._drops = self._traffic.drops > self._drops, self._traffic.drops
        model = self._models.get(passed.module) or self._models.setdefault(passed.module, Model())
        doubtful = not passed.recorded or model.doubtful or model.waits > 0
        if passed.recorded:
            self._stepping.add(model)
            model.waits += 1
            model.doubtful = doubtful
        if self._waiting:
            self._bury()
        if doubtful and passed.training and model.trained and self._fates.total() < JUDGED:
            self._judge(passed, functional=dropped)

    def _judge(self, passed: Pass, *, functional: bool) -> None:
        place, output = user_place(), first_tensor([passed.output])
        if output is None or self._fates[place, passed.recorded] >= FATES:
            return
        active = tuple(_active(passed.module)) or (("dropout",) if functional else ())
        if not active:
            return
        candidate = Candidate(
            passed.number, type(passed.module).__name__, place, active, passed.recorded, passed.step,
        )
        if not passed.recorded:
            self._fates[place, False] += 1
            self._note_repeat(candidate, passed)
            self._follow(Following(candidate, output))
        elif output.grad_fn is not None:
            node: Any = output.grad_fn
            mark = node.metadata[KEY] = Mark()
            candidate.mark = weakref.ref(mark)
            self._waiting = [*self._waiting, candidate][-WAITING:]

    def _note_repeat(self, candidate: Candidate, passed: Pass) -> None:
        given = first_tensor((passed.arguments, passed.named))
        inputs = None if given is None else (passed.step, given.shape, float(given.detach().double().sum()))
        former, self._former = self._former, (inputs, candidate)
        candidate.sampled = inputs is not None and former[0] == inputs and former[1].how is None

    def _scored(self, scored: Scored) -> None:
        if scored.arguments.get("reduction", "mean") == "none":
            return  # examples are weighed or chosen by their losses
        if self._following is not None and not scored.recorded and self._following.holds(scored.arguments["input"]):
            self._following.candidate.how = "loss"
        for candidate in self._waiting:
            if scored.recorded and candidate.number == scored.latest:
                candidate.how = "loss"

    def _began(self, backward: Backward) -> None:
        self._end()
        for model in self._stepping:
            model.waits = 0
        if not self._waiting:
            return
        self._bury()
        waiting, self._waiting = self._waiting, []
        if len(waiting) > 1 and self._walks < WALKED:
            self._walks += 1
            reached = {id(node.metadata.get(KEY)) for node in walk(_nodes(backward.roots))}
            self._waiting = [each for each in waiting if each.mark and id(each.mark()) not in reached]

    def _stepped(self, _: Any) -> None:
        self._end()
        for model in self._stepping:
            model.trained = self._trained = True
        self._stepping.clear()

    def _bury(self) -> None:
        """Of the recorded passes that wait, those whose graph is gone were never trained on."""
        for candidate in [each for each in self._waiting if each.mark is not None and each.mark() is None]:
            self._waiting.remove(candidate)
            self._fates[candidate.place, True] += 1
            self._count(candidate)

    def _follow(self, following: Following) -> None:
        if hasattr(Tensor.argmax, TELLS):
            return  # another recording, around or within this one, follows it
        self._following = following
        for names, look in (
            (DECIDES, following.decide), (LEADS_ON, following.lead_on), (COMPARES, following.compare),
            (SUBTRACTS, following.subtract), (MEASURES, following.measure), (READS, following.read),
        ):
            made = partial(_telling, self._faults.contained(self.name, look))
            for name in names:
                self._methods.put(Tensor, name, made)
                if isinstance(vars(torch).get(name), types.BuiltinFunctionType):  # torch.long is no function
                    self._methods.put(torch, name, made)

    def _end(self) -> None:
        """Nothing more is made of the output that is followed."""
        if self._following is not None:
            self._methods.away()
            self._count(self._following.candidate)
            self._following = None

    def _count(self, candidate: Candidate) -> None:
        if candidate.how is None:
            return
        line = candidate.place, candidate.recorded
        known = self._lines.get(line)
        self._lines[line] = ScoredInTraining(
            model=candidate.model, place=candidate.place, active=candidate.active, recorded=candidate.recorded,
            passes=1 + (known.passes if known else 0), step=known.step if known else candidate.step,
            how=candidate.how,
        )


def _nodes(roots: Any) -> list[Any]:
    given = [roots] if isinstance(roots, Tensor) else list(roots)
    found = [each.grad_fn if isinstance(each, Tensor) else each.node for each in given]
    return [node for node in found if node is not None]


def _active(model: nn.Module) -> Iterator[str]:
    """Paths of what behaves otherwise in training mode, where it is in that mode."""
    for path, part in model.named_modules():
        if not part.training:
            continue
        dropout = part.p if isinstance(part, _DropoutNd) else getattr(part, "dropout", 0.0)
        built_in = isinstance(part, _DropoutNd | nn.RNNBase | nn.MultiheadAttention)
        tracked = isinstance(part, _BatchNorm) and part.track_running_stats
        if tracked or (built_in and isinstance(dropout, float) and dropout > 0 and getattr(part, "num_layers", 2) > 1):
            yield path or type(part).__name__


def _telling(look: Callable[..., None], original: Any) -> Any:
    """A method that tells what it was given and what it made."""
    is_compiling = torch.compiler.is_compiling

    @wraps(original)
    def method(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        if arguments and not is_compiling() and not _asked_by_assay():
            look(arguments, result)
        return result

    setattr(method, TELLS, True)
    return method


def _asked_by_assay() -> bool:
    """Whether another probe's look makes the call that is seen."""
    frame = sys._getframe(2)  # noqa: SLF001  # the documented way to the caller's frame
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("torch."):
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(OURS)
