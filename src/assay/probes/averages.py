"""Averages: models that no optimizer holds and that are evaluated beside a trained model of the same class.

Of every module that was made or copied, a sum of its own parameters and running statistics is taken before the next
optimizer step; evaluated later, it is held against these.
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from assay.facts.averages import AverageFacts, AverageRecord
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.metric_sense import words_of
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, ignore, user_place
from assay.program_text import around, tree_of
from assay.tensors import readable
from assay.traffic import Made, Pass, Traffic
from assay.weak_identity import IdentityDict

MODULES = 512
"""Modules that are taken."""

NUMBERS = 1 << 22
"""Larger parameters are left alone."""

LOOKS = 32
"""Evaluations of a model that are looked at."""

MEANS = frozenset({"average", "averaged", "averager", "ema", "polyak", "shadow", "swa"})
"""Words by which programs call an average of weights."""


@dataclass(eq=False)
class Taken:
    """A module as it was before the first step after its making; None where it hasn't been looked at."""

    place: Place | None
    step: int = -1
    weights: tuple[float, ...] | None = None
    statistics: float | None = None


class Averages:
    """Records averages at their evaluations."""

    name = "averages"
    kinds: tuple[type[Fact], ...] = (AverageFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._taken: IdentityDict[nn.Module, Taken] = IdentityDict()
        self._waiting: list[weakref.ref[nn.Module]] = []
        self._trained: IdentityDict[nn.Module, None] = IdentityDict()
        self._looks: IdentityDict[nn.Module, int] = IdentityDict()
        self._refreshed: IdentityDict[nn.Module, None] = IdentityDict()
        self._found: dict[int, AverageRecord] = {}
        self._look: Callable[..., None] = ignore

    def attach(self) -> None:
        """Listen."""
        self._traffic.made.append(self._faults.contained(self.name, self._made))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._look = self._faults.contained(self.name, self._stepping)

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._waiting = []

    def facts(self) -> FactSet:
        """The models that were evaluated and that no optimizer holds."""
        if not self._found:
            why = "no model was evaluated that no optimizer holds, beside a trained one of its class"
            return FactSet(absent={AverageFacts: Absent(why, applicable=False)})
        return FactSet.of(AverageFacts(averages=tuple(self._found.values())))

    def _made(self, made: Made) -> None:
        if len(self._taken) < MODULES:
            self._taken[made.module] = Taken(made.place)
            self._waiting.append(weakref.ref(made.module))
            if len(self._waiting) == 1:
                self._traffic.stepping.append(self._look)

    def _stepping(self, _: Any) -> None:
        """Take what was made since the step before, as it is now."""
        waiting, self._waiting = self._waiting, []
        if self._look in self._traffic.stepping:
            self._traffic.stepping.remove(self._look)
        for reference in waiting:
            module = reference()
            taken = self._taken.get(module) if module is not None else None
            if module is not None and taken is not None:
                taken.step, taken.weights, taken.statistics = self._clock.steps, _weights(module), _statistics(module)

    def _passed(self, passed: Pass) -> None:
        if passed.recorded and passed.training:
            self._trained[passed.module] = None
            return
        model = passed.module
        if passed.training and not passed.recorded:
            self._refreshed[model] = None
        looks = self._looks.get(model, 0)
        if passed.recorded or looks >= LOOKS:
            return
        self._looks[model] = looks + 1
        copy = getattr(model, "module", None) if _is_averaged(model) else model
        if not isinstance(copy, nn.Module):
            return
        parameters = list(copy.parameters())
        if not parameters or any(self._book.note(each).optimised for each in parameters):
            return
        source = next((each for each in self._trained if type(each) is type(copy) and each is not copy), None)
        taken = self._taken.get(copy)
        if source is None or taken is None or taken.step < 0:
            return
        self._found[id(model)] = self._record(model, copy, source, taken)

    def _record(self, model: nn.Module, copy: nn.Module, source: nn.Module, taken: Taken) -> AverageRecord:
        norms = [(mine, its) for mine, its in zip(copy.modules(), source.modules(), strict=False)
                 if isinstance(mine, _BatchNorm) and isinstance(its, _BatchNorm) and not mine.training]
        borrows = _is_equal_average(model) and model not in self._refreshed
        made = self._taken.get(model)
        place = taken.place if made is None or made.place is None else made.place
        return AverageRecord(
            model=type(copy).__name__, place=place, evaluated=user_place(), steps=self._clock.steps - taken.step,
            claimed=type(model).__name__ if _is_averaged(model) else _claim(place), norms=len(norms),
            moved=any(self._has_moved(each) for each in copy.modules()),
            stale=len(norms) if borrows else sum(self._is_stale(mine, its) for mine, its in norms),
        )

    def _has_moved(self, module: nn.Module) -> bool:
        taken = self._taken.get(module)
        return taken is not None and taken.step >= 0 and taken.weights != _weights(module)

    def _is_stale(self, norm: nn.Module, source: nn.Module) -> bool:
        """Whether a norm's statistics are those that it was made with, and its source has others."""
        taken, now = self._taken.get(norm), _statistics(norm)
        known = taken is not None and taken.step >= 0 and now is not None
        return known and taken is not None and taken.statistics == now != _statistics(source)


def _is_averaged(model: nn.Module) -> bool:
    return any(kind.__name__ == "AveragedModel" for kind in type(model).__mro__)


def _is_equal_average(model: nn.Module) -> bool:
    """Whether this is an equal average of several: until it runs over data, it has the last one's statistics."""
    several = _is_averaged(model) and int(getattr(model, "n_averaged", 0)) > 1
    own_way = getattr(model, "avg_fn", None) or getattr(model, "multi_avg_fn", None)
    return several and own_way is None


def _weights(module: nn.Module) -> tuple[float, ...]:
    own = [each for each in module._parameters.values() if each is not None]  # noqa: SLF001  # not its children's
    return tuple(_sum(each) for each in own if not isinstance(each, nn.UninitializedParameter))


def _statistics(module: nn.Module) -> float | None:
    if not isinstance(module, _BatchNorm) or module.running_mean is None:
        return None
    return _sum(module.running_mean) + _sum(module.running_var)


def _sum(values: Any) -> float:
    small = isinstance(values, Tensor) and values.numel() <= NUMBERS
    return float(values.detach().double().sum()) if small and readable(values) else 0.0


def _claim(place: Place | None) -> str | None:
    """The name that the program gives to what this line makes, or the class that keeps it, if it says an average."""
    tree = tree_of(place.file) if place is not None else None
    if place is None or tree is None:
        return None
    for node in reversed(list(around(tree, place.line))):
        names = [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []
        names += [node.name] if isinstance(node, ast.ClassDef) else []
        for name in names:
            if words_of(name) & MEANS:
                return name
    return None
