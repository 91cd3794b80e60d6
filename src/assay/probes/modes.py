"""Modes: in which mode models are trained, and who switched them to it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd
from torch.optim import Optimizer

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import TrainedInEvaluation, TrainingModeFacts
from assay.probe import Faults, Patches, user_place
from assay.traffic import Pass, Traffic
from assay.weak_identity import IdentityDict

PLACED = 16
"""Steps in training mode of each model whose line is looked up: a loop's first few show it."""

SWITCHES = 512
"""Calls of train() and eval() that are looked at."""

KEPT = 256
"""Models that are reported on."""

DOUBTED = 16
"""Steps at which it is asked whether an optimizer trains a model, where the answer was no before."""


@dataclass(frozen=True)
class Switch:
    """A call of train() or eval(), on this module and so on all of its parts."""

    module: weakref.ref[nn.Module]
    place: Place | None

    def reaches(self, model: nn.Module) -> bool:
        """Whether it switched the model, or a part of it."""
        switched = self.module()
        return switched is model or (switched is not None and (
            any(part is model for part in switched.modules()) or any(part is switched for part in model.modules())
        ))


@dataclass(eq=False)
class Model:
    """What is known of one model.

    active          paths of its dropouts and batch norms that were in training mode when it was trained
    lines           lines of the passes that it was trained on in training mode, `before` steps
    modes           modes of its recorded passes since the last step, and `place` the line of the last of them
    evaluated       number of the last pass in evaluation mode that was no training pass
    trained_by      optimizers that hold its parameters; `doubts` is how often that may still be asked of others
    stuck, since    steps in evaluation mode after that, and the first of them
    """

    reference: weakref.ref[nn.Module]
    kind: str
    active: tuple[str, ...] = ()
    lines: set[Place | None] = field(default_factory=set)
    before: int = 0
    modes: set[bool] = field(default_factory=set)
    place: Place | None = None
    evaluated: int | None = None
    trained_by: weakref.WeakSet[Optimizer] = field(default_factory=weakref.WeakSet)
    doubts: int = DOUBTED
    stuck: int = 0
    since: int = 0
    line: Place | None = None
    switched: Place | None = None


class Modes:
    """Records in which mode models are trained."""

    name = "modes"
    kinds: tuple[type[Fact], ...] = (TrainingModeFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._models: IdentityDict[nn.Module, Model] = IdentityDict()
        self._trained: list[Model] = []
        self._passed_since: set[Model] = set()
        self._last_switch: Switch | None = None
        self._switches = 0
        self._steps = 0

    def attach(self) -> None:
        """Wrap the switching of modes; listen to passes and steps."""
        look = self._faults.contained(self.name, self._switched)
        self._patches.replace(nn.Module, "train", partial(_outermost, look))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.stepping.append(self._faults.contained(self.name, self._stepping))

    def detach(self) -> None:
        """Put the original back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """The models that were trained, and those that got stuck in evaluation mode."""
        if not self._trained:
            return FactSet(absent={TrainingModeFacts: Absent("no module was trained", applicable=False)})
        stuck = [
            TrainedInEvaluation(
                model=model.kind, place=model.line, switched=model.switched, inactive=model.active,
                before=model.before, steps=model.stuck, step=model.since,
            )
            for model in self._trained if model.stuck
        ]
        return FactSet.of(TrainingModeFacts(stuck=tuple(stuck), trained=len(self._trained)))

    def _switched(self, module: nn.Module) -> None:
        self._switches += 1
        if self._switches > SWITCHES or self._traffic.silent:
            return
        self._last_switch = switch = Switch(weakref.ref(module), user_place())
        for model, known in self._models.items():
            if switch.reaches(model):
                known.evaluated, known.switched = None, switch.place

    def _passed(self, passed: Pass) -> None:
        model = self._models.get(passed.module)
        if model is None:
            model = self._models[passed.module] = Model(weakref.ref(passed.module), type(passed.module).__name__)
            if self._last_switch is not None and self._last_switch.reaches(passed.module):
                model.switched = self._last_switch.place
        if passed.recorded:
            model.modes.add(passed.training)
            self._passed_since.add(model)
            if not passed.training or model.before < PLACED:
                model.place = user_place()
        evaluates = not passed.recorded or model.place not in model.lines
        if model.before and not passed.training and evaluates and self._switches <= SWITCHES:
            model.evaluated = passed.number

    def _stepping(self, optimizer: Optimizer) -> None:
        since, self._passed_since = self._passed_since, set()
        for model in since:
            module = model.reference()
            if module is not None and _trains(optimizer, module, model):
                self._stepped(model, module)
            model.modes.clear()
        self._steps += 1

    def _stepped(self, model: Model, module: nn.Module) -> None:
        if True in model.modes:
            if not model.before and len(self._trained) < KEPT:
                self._trained.append(model)
            if model.before < PLACED:
                model.lines.add(model.place)
                model.active = tuple(dict.fromkeys((*model.active, *_active(module))))
            model.before += 1
            model.evaluated = None
        elif model.evaluated is not None and model.place in model.lines and not any(_active(module)) and model.active:
            if not model.stuck:
                model.since, model.line = self._steps, model.place
            model.stuck += 1


def _outermost(look: Callable[..., None], original: Any) -> Any:
    """Module.train, which calls itself on every part: the outermost call is shown to `look`."""
    within = [False]

    @wraps(original)
    def train(module: Any, mode: bool = True) -> Any:
        if within[0] or torch.compiler.is_compiling():
            return original(module, mode)
        within[0] = True
        try:
            return original(module, mode)
        finally:
            within[0] = False
            look(module)

    return train


def _trains(optimizer: Optimizer, module: nn.Module, model: Model) -> bool:
    """Whether the optimizer holds a parameter of the module that has a gradient; asked once, if the answer is yes."""
    if optimizer in model.trained_by:
        return True
    if not model.doubts:
        return False
    model.doubts -= 1
    own = {id(parameter) for parameter in module.parameters() if parameter.grad is not None}
    trains = any(id(parameter) in own for group in optimizer.param_groups for parameter in group["params"])
    if trains:
        model.trained_by.add(optimizer)
        model.doubts += 1
    return trains


def _active(model: nn.Module) -> Iterator[str]:
    """Paths of dropouts and batch norms in training mode."""
    for path, part in model.named_modules():
        dropout = part.p if isinstance(part, _DropoutNd) else getattr(part, "dropout", 0.0)
        drops = isinstance(part, _DropoutNd | nn.RNNBase | nn.MultiheadAttention) and bool(dropout)
        if part.training and (drops or (isinstance(part, _BatchNorm) and part.track_running_stats)):
            yield path or type(part).__name__
