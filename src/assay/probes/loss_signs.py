"""The sign of losses: whether a backward pass begins from a loss as it is, or from its negation."""

from __future__ import annotations

import weakref
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer

from assay.autograd_graph import below, operation, shape_of
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.loss_sign import LossRoot, LossSignFacts
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, user_place
from assay.traffic import Backward, Pass, Scored, Traffic

ROOTS = 64
"""Backward passes that are looked at in a run."""

KEY = "assay loss sign"
"""The key under which a graph node bears the name of the loss function that it is the result of."""


class LossSigns:
    """Records what backward passes begin from, on the steps that the clock looks at."""

    name = "loss signs"
    kinds: tuple[type[Fact], ...] = (LossSignFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._model: weakref.ref[nn.Module] | None = None
        self._optimizers: weakref.WeakKeyDictionary[Optimizer, bool] = weakref.WeakKeyDictionary()
        self._counts = [0, 0]
        self._roots: list[LossRoot] = []

    def attach(self) -> None:
        """Listen to passes, losses, backward passes and steps."""
        sampled = self._traffic.sampled
        for listeners, look in (
            (sampled.passed, self._passed), (sampled.scored, self._scored),
            (sampled.began, self._began), (sampled.stepping, self._steps),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._model = None

    def facts(self) -> FactSet:
        """The backward passes so far."""
        if not self._roots:
            return FactSet(absent={LossSignFacts: Absent("no backward pass ran from a loss", applicable=False)})
        return FactSet.of(LossSignFacts(
            roots=tuple(self._roots), optimizers=self._counts[0], maximising=self._counts[1],
            schedule=self._clock.schedule,
        ))

    def _passed(self, passed: Pass) -> None:
        if self._clock.looks and passed.recorded:
            self._model = weakref.ref(passed.module)

    def _scored(self, scored: Scored) -> None:
        if self._clock.looks and scored.recorded and scored.value.dim() == 0:
            scored.value.grad_fn.metadata[KEY] = scored.name

    def _began(self, backward: Backward) -> None:
        root = backward.roots
        if not self._clock.looks or backward.nested or backward.function == "grad" or len(self._roots) >= ROOTS:
            return
        if not isinstance(root, Tensor) or root.grad_fn is None or root.numel() != 1:
            return
        name, negated = _head(root.grad_fn)
        self._roots.append(LossRoot(
            name=name, negated=negated, place=user_place(), step=self._clock.steps, value=float(root.detach()),
            trained=self._trained(),
        ))

    def _trained(self) -> float | None:
        model = self._model() if self._model is not None else None
        held = [] if model is None else [
            self._book.note(each).optimised for each in model.parameters() if each.requires_grad
        ]
        return sum(held) / len(held) if held else None

    def _steps(self, optimizer: Optimizer) -> None:
        if self._clock.looks and optimizer not in self._optimizers:
            self._optimizers[optimizer] = True
            self._counts[0] += 1
            self._counts[1] += any(group.get("maximize") for group in optimizer.param_groups)


def _head(node: Any) -> tuple[str | None, bool]:
    """The loss function whose result lies below divisions by numbers and negations, and whether it is negated."""
    negated = False
    while node is not None and shape_of(node) == ():
        name = node.metadata.get(KEY)
        if name is not None:
            return str(name), negated
        negated ^= operation(node) == "Neg"
        following = below(node)
        if operation(node) not in ("Neg", "Div") or len(following) != 1:
            return None, False
        node = following[0]
    return None, False
