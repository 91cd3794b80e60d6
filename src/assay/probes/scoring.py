"""Scoring: models that are scored, not trained, while they are in training mode.

Two kinds of passes come into question. One that autograd doesn't record is followed until the next event: is its
output given to a loss, or turned into predictions that are compared with other values? One that it records is scored
if a loss is given its output and no backward pass has reached it by the time that its graph is gone.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd

from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import ScoredInTraining, ScoringFacts
from assay.output_fate import Following, Methods, replace_methods
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Backward, Pass, Scored, Traffic
from assay.weak_identity import IdentityDict

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
    """One pass that may be an evaluation."""

    number: int
    model: str
    place: Place | None
    active: tuple[str, ...]
    recorded: bool
    step: int
    how: Route | None = None
    mark: weakref.ref[Mark] | None = None


class Waiting:
    """Recorded passes that no backward pass has reached yet."""

    def __init__(self) -> None:
        self._passes: list[Candidate] = []
        self._walks = 0

    def add(self, candidate: Candidate, output: Tensor) -> None:
        """Mark the graph of a pass, so that the mark is gone when the graph is."""
        node: Any = output.grad_fn
        mark = node.metadata[KEY] = Mark()
        candidate.mark = weakref.ref(mark)
        self._passes = [*self._passes, candidate][-WAITING:]

    def score(self, number: int | None) -> None:
        """A loss was given what came of this pass."""
        for candidate in self._passes:
            if candidate.number == number:
                candidate.how = "loss"

    def reach(self, roots: Any) -> None:
        """A backward pass begins: of several that wait, only those that it doesn't reach go on waiting."""
        waiting, self._passes = self._passes, []
        if len(waiting) > 1 and self._walks < WALKED:
            self._walks += 1
            reached = {id(node.metadata.get(KEY)) for node in walk(_nodes(roots))}
            self._passes = [each for each in waiting if each.mark and id(each.mark()) not in reached]

    def gone(self) -> list[Candidate]:
        """Those whose graph is gone, so that they were never trained on; they wait no more."""
        if not self._passes:
            return []
        gone = [each for each in self._passes if each.mark is not None and each.mark() is None]
        self._passes = [each for each in self._passes if each not in gone]
        return gone


class Lines:
    """What is known by line: how many passes were followed to their end, and which were scored."""

    def __init__(self) -> None:
        self.fates: Counter[Line] = Counter()
        self._scored: dict[Line, ScoredInTraining] = {}

    @property
    def sure(self) -> tuple[ScoredInTraining, ...]:
        """The lines at which models were scored, often enough to be sure."""
        return tuple(line for line in self._scored.values() if not line.recorded or line.passes >= UNREACHED)

    def take(self, gone: list[Candidate]) -> None:
        """Recorded passes that were never trained on."""
        for candidate in gone:
            self.fates[candidate.place, True] += 1
            self.count(candidate)

    def count(self, candidate: Candidate) -> None:
        """Count a pass if it was scored."""
        if candidate.how is None:
            return
        line = candidate.place, candidate.recorded
        known = self._scored.get(line)
        self._scored[line] = ScoredInTraining(
            model=candidate.model, place=candidate.place, active=candidate.active, recorded=candidate.recorded,
            passes=1 + (known.passes if known else 0), step=known.step if known else candidate.step,
            how=candidate.how,
        )


class Repeats:
    """Whether passes are of the same values one after another, as samples are."""

    def __init__(self) -> None:
        self._before: Any = None
        self._former: Candidate | None = None

    def another(self, candidate: Candidate, passed: Pass) -> bool:
        """Whether this pass is of the same values as the one before, whose output wasn't scored."""
        given = first_tensor((passed.arguments, passed.named))
        inputs = None if given is None else (passed.step, given.shape, float(given.detach().double().sum()))
        before, former = self._before, self._former
        self._before, self._former = inputs, candidate
        return inputs is not None and before == inputs and former is not None and former.how is None


class Scoring:
    """Records the passes that are scored in training mode."""

    name = "scoring"
    kinds: tuple[type[Fact], ...] = (ScoringFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._models: IdentityDict[nn.Module, Model] = IdentityDict()
        self._stepping: set[Model] = set()
        self._methods = Methods()
        self._following: tuple[Following, Candidate] | None = None
        self._waiting = Waiting()
        self._lines = Lines()
        self._repeats = Repeats()
        self._trained = False

    def attach(self) -> None:
        """Listen to all that passes."""
        sampled = self._traffic.sampled
        for listeners, look in (
            (sampled.passed, self._passed), (sampled.scored, self._scored),
            (sampled.began, self._began), (sampled.stepped, self._stepped),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """Follow nothing any more."""
        self._end()
        self._lines.take(self._waiting.gone())

    def facts(self) -> FactSet:
        """The lines at which models were scored in training mode, often enough to be sure."""
        if not self._trained:
            return FactSet(absent={ScoringFacts: Absent("no module was trained", applicable=False)})
        return FactSet.of(ScoringFacts(scored=self._lines.sure, judged=self._lines.fates.total()))

    def _passed(self, passed: Pass) -> None:
        self._end()
        model = self._models.get(passed.module) or self._models.setdefault(passed.module, Model())
        doubtful = not passed.recorded or model.doubtful or model.waits > 0
        if passed.recorded:
            self._stepping.add(model)
            model.waits += 1
            model.doubtful = doubtful
        self._lines.take(self._waiting.gone())
        if doubtful and passed.training and model.trained and self._lines.fates.total() < JUDGED:
            self._judge(passed, functional=passed.drops > 0)

    def _judge(self, passed: Pass, *, functional: bool) -> None:
        place, output = user_place(), first_tensor([passed.output])
        if output is None or self._lines.fates[place, passed.recorded] >= FATES:
            return
        active = tuple(_active(passed.module)) or (("dropout",) if functional else ())
        if not active:
            return
        candidate = Candidate(
            passed.number, type(passed.module).__name__, place, active, passed.recorded, passed.step,
        )
        if passed.recorded:
            if output.grad_fn is not None:
                self._waiting.add(candidate, output)
            return
        self._lines.fates[place, False] += 1
        following = Following(output, sampled=self._repeats.another(candidate, passed))
        if replace_methods(following, self._methods, partial(self._faults.contained, self.name)):
            self._following = following, candidate

    def _scored(self, scored: Scored) -> None:
        if scored.arguments.get("reduction", "mean") == "none":
            return  # examples are weighed or chosen by their losses
        if scored.recorded:
            self._waiting.score(scored.latest)
        elif self._following is not None and self._following[0].holds(scored.arguments["input"]):
            self._following[1].how = "loss"

    def _began(self, backward: Backward) -> None:
        self._end()
        for model in self._stepping:
            model.waits = 0
        self._lines.take(self._waiting.gone())
        self._waiting.reach(backward.roots)

    def _stepped(self, _: Any) -> None:
        self._end()
        for model in self._stepping:
            model.trained = self._trained = True
        self._stepping.clear()

    def _end(self) -> None:
        """Nothing more is made of the output that is followed."""
        if self._following is not None:
            following, candidate = self._following
            self._methods.away()
            if following.compared and candidate.how is None:
                candidate.how = "comparison"
            self._lines.count(candidate)
            self._following = None


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
