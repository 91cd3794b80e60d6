"""Evaluation passes that autograd records, and nobody trains on: they cost memory and time for nothing."""

from __future__ import annotations

from collections import Counter

from torch import Tensor, nn

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import RecordedEvaluation, RecordedEvaluations
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Backward, Pass, Traffic
from assay.weak_identity import IdentitySet

PASSES = 256
"""Passes in evaluation mode that are looked at."""


class Evaluations:
    """Records passes in evaluation mode, of models trained in training mode, that have a graph and no backward pass."""

    name = "evaluations"
    kinds: tuple[type[Fact], ...] = (RecordedEvaluations,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._trained: IdentitySet[nn.Module] = IdentitySet()
        self._waiting: list[tuple[Place | None, str]] = []
        self._lines: Counter[tuple[Place | None, str]] = Counter()
        self._looked = 0

    def attach(self) -> None:
        """Listen to passes and backward passes."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.began.append(self._faults.contained(self.name, self._began))

    def detach(self) -> None:
        """Nobody trains on what still waits."""
        self._lines.update(self._waiting)
        self._waiting.clear()

    def facts(self) -> FactSet:
        """The lines of such passes."""
        if not self._looked:
            absent = Absent("no model was called in evaluation mode after it was trained", applicable=False)
            return FactSet(absent={RecordedEvaluations: absent})
        return FactSet.of(RecordedEvaluations(evaluations=tuple(
            RecordedEvaluation(model=model, place=place, passes=passes)
            for (place, model), passes in self._lines.items()
        )))

    def _passed(self, passed: Pass) -> None:
        if passed.training:
            if passed.recorded and passed.step:
                self._trained.add(passed.module)
            # What comes next is trained on by itself: those that wait weren't.
            self._lines.update(self._waiting)
            self._waiting.clear()
        elif passed.module in self._trained and self._looked < PASSES:
            self._looked += 1
            output = first_tensor([passed.output])
            if passed.recorded and isinstance(output, Tensor) and output.grad_fn is not None:
                self._waiting.append((user_place(), type(passed.module).__name__))

    def _began(self, _: Backward) -> None:
        self._waiting.clear()
