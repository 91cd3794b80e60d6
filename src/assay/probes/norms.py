"""Batch norms: from how many values they take their statistics, and whether frozen ones are still moved by training."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.norms import NormFacts, NormRecord
from assay.parameter_book import ParameterBook
from assay.probe import Faults, user_place
from assay.traffic import Inner, Pass, Traffic
from assay.weak_identity import IdentityDict

NORMS = 256
"""Batch norms that are kept."""

FEW = 2
"""Values of a channel whose mean and variance say nothing: two values always become -1 and 1."""


@dataclass(eq=False)
class Norm:
    """What is known of one batch norm.

    trained     whether it was trainable in an earlier call
    thawed      whether it was so again after it had been frozen, as the critic of a GAN is in turns
    """

    model: str
    name: str
    place: Place | None = None
    calls: int = 0
    values: int = 0
    few: int = 0
    bias: str | None = None
    trained: bool = False
    frozen: bool = False
    thawed: bool = False
    drifting: int = 0


class Norms:
    """Records batch norms in training mode, on the steps that the clock looks at."""

    name = "norms"
    kinds: tuple[type[Fact], ...] = (NormFacts,)

    def __init__(self, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._known: IdentityDict[nn.Module, Norm] = IdentityDict()
        self._all: list[Norm] = []
        self._called: set[Norm] = set()
        self._before: tuple[weakref.ref[Tensor], weakref.ref[nn.Module]] | None = None

    def attach(self) -> None:
        """Listen to modules within passes, passes and steps."""
        self._traffic.inner.append(self._faults.contained(self.name, self._within))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.stepped.append(self._faults.contained(self.name, self._stepped))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """Every batch norm that was seen in training mode."""
        if not self._all:
            return FactSet(absent={NormFacts: Absent("no batch norm was called in training mode", applicable=False)})
        return FactSet.of(NormFacts(norms=tuple(
            NormRecord(
                model=each.model, name=each.name, place=each.place, calls=each.calls, values=each.values, few=each.few,
                bias=each.bias, drifting=each.drifting,
            )
            for each in self._all
        )))

    def _within(self, inner: Inner) -> None:
        module = inner.module
        if isinstance(module, nn.Linear | _ConvNd):
            if module.bias is not None and isinstance(inner.output, Tensor):
                self._before = weakref.ref(inner.output), weakref.ref(module)
            return
        root, given = self._traffic.running, inner.arguments[0] if inner.arguments else None
        counts = isinstance(module, _BatchNorm) and module.training and module.track_running_stats and inner.recorded
        if not counts or root is None or not isinstance(given, Tensor) or given.dim() < 2:
            return
        norm = self._norm(module, root)
        if norm is None:
            return
        values = given.numel() // max(given.shape[1], 1)
        norm.calls += 1
        norm.values = max(norm.values, values)
        norm.few += values <= FEW
        if self._before is not None and self._before[0]() is given:
            norm.bias = _path(root, self._before[1]())
        self._called.add(norm)
        frozen = module.weight is not None and not module.weight.requires_grad
        norm.thawed |= not frozen and norm.drifting > 0
        known = norm.trained or self._book.note(module.weight).loaded
        norm.frozen = frozen and known and not norm.thawed and _matrices_frozen(root)
        norm.trained |= not frozen

    def _norm(self, module: nn.Module, root: nn.Module) -> Norm | None:
        known = self._known.get(module)
        if known is None and len(self._all) < NORMS:
            known = self._known[module] = Norm(type(root).__name__, _path(root, module) or "")
            self._all.append(known)
        return known

    def _passed(self, _: Pass) -> None:
        if self._called:
            place = user_place()
            for norm in self._called:
                norm.place = place

    def _stepped(self, _: Any) -> None:
        for norm in self._called:
            norm.drifting = 0 if norm.thawed else norm.drifting + norm.frozen
        self._called.clear()


def _path(root: nn.Module, part: nn.Module | None) -> str | None:
    return next((path for path, each in root.named_modules() if each is part), None)


def _matrices_frozen(root: nn.Module) -> bool:
    """Whether weights of other layers are frozen too, so that freezing is meant."""
    return any(parameter.dim() > 1 and not parameter.requires_grad for parameter in root.parameters())
