"""Weight matrices whose units start equal, and pairs of matrices that start equal: do they ever come to differ?"""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, wraps
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.weights import AlikeLayers, AlikeUnits, InitialWeights
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Patches, user_place
from assay.traffic import Made, Pass, Traffic
from assay.weak_identity import IdentityDict, IdentitySet

FILLING = ("constant_", "ones_", "zeros_")
"""Functions of torch.nn.init that make the units of a matrix equal."""

MATRICES = 512
"""Matrices of one model that are looked at."""

LARGEST = 1 << 20
"""Numbers of a matrix that is looked at."""

KEPT = 32
"""Matrices, and pairs, that are followed."""

ALIKE = 1e-4
"""Part of how far a matrix moved by which its units may differ and count as equal: sums are rounded in any order."""


@dataclass(eq=False)
class Followed:
    """One matrix, or two, that started alike; `start` is the first as it was then, laid flat to two axes."""

    parameters: tuple[weakref.ref[Tensor], ...]
    model: str
    names: tuple[str, ...]
    place: Place | None
    start: Tensor
    fed: int = 0
    flat: bool = True
    still: bool = True
    moved: bool = False

    def feed(self) -> None:
        """Look at the gradients with which an optimizer is about to step."""
        gradients = [None if each is None else each.grad for each in self._alive()]
        if all(gradient is not None for gradient in gradients):
            self.fed += 1
            self.flat &= not any(bool(gradient.any()) for gradient in gradients if gradient is not None)

    def compare(self) -> None:
        """See whether they are still alike."""
        alive = self._alive()
        if any(each is None for each in alive):
            return
        now = [_flat(each) for each in alive if each is not None]
        reach = float((now[0] - self.start).abs().max())
        self.moved = reach > 0
        near = ALIKE * reach
        if len(now) > 1:
            self.still = float((now[0] - now[1]).abs().max()) <= near
        else:
            across = (now[0] - now[0][:1]).abs().max(), (now[0] - now[0][:, :1]).abs().max()
            self.still = float(min(across)) <= near

    def _alive(self) -> list[Tensor | None]:
        return [reference() for reference in self.parameters]


class Alike:
    """Looks at the weights of each model at its first training pass, and at those that are alike after steps."""

    name = "initial weights"
    kinds: tuple[type[Fact], ...] = (InitialWeights,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._patches = Patches()
        self._filled: dict[int, tuple[weakref.ref[Tensor], Place | None]] = {}
        self._places: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._models: IdentitySet[nn.Module] = IdentitySet()
        self._followed: list[Followed] = []
        self._matrices = 0

    def attach(self) -> None:
        """Listen to models and steps; wrap the functions that fill weights."""
        for name in FILLING:
            self._patches.replace(nn.init, name, partial(_filling, self._faults.contained(self.name, self._fill)))
        for event, look in (
            ("made", self._made), ("passed", self._passed), ("stepping", self._stepping), ("stepped", self._stepped),
        ):
            self._traffic.listeners(event).append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """Put the originals back, and let go of what was copied."""
        self._patches.restore()
        self._filled.clear()

    def facts(self) -> FactSet:
        """What started alike."""
        if not self._matrices:
            return FactSet(absent={InitialWeights: Absent("no model was trained", applicable=False)})
        return FactSet.of(InitialWeights(
            units=tuple(_units(each) for each in self._followed if len(each.names) == 1),
            layers=tuple(_layers(each) for each in self._followed if len(each.names) > 1), matrices=self._matrices,
        ))

    def _fill(self, tensor: Tensor) -> None:
        if tensor.dim() > 1:
            self._filled[id(tensor)] = weakref.ref(tensor), user_place()

    def _made(self, made: Made) -> None:
        self._places[made.module] = made.place

    def _passed(self, passed: Pass) -> None:
        if not self._clock.looks or not passed.recorded or not passed.training or passed.module in self._models:
            return
        self._models.add(passed.module)
        by_size: dict[tuple[int, ...], list[tuple[str, Tensor]]] = defaultdict(list)
        for name, parameter in islice(_matrices(passed.module), MATRICES):
            self._matrices += 1
            by_size[tuple(parameter.shape)].append((name, parameter))
            values = _flat(parameter)
            if bool((values == values[:1]).all()) or bool((values == values[:, :1]).all()):
                self._follow(passed.module, ((name, parameter),))
        for alike in by_size.values():
            for position, (name, parameter) in enumerate(alike):
                twin = next((each for each in alike[:position] if torch.equal(each[1], parameter)), None)
                if twin is not None and float(parameter.detach().float().var()) > 0:
                    self._follow(passed.module, (twin, (name, parameter)))

    def _follow(self, model: nn.Module, alike: tuple[tuple[str, Tensor], ...]) -> None:
        if len(self._followed) < KEPT and not any(self._book.note(parameter).loaded for _, parameter in alike):
            reference, place = self._filled.get(id(alike[0][1]), (None, None))
            known = reference is not None and reference() is alike[0][1]
            self._followed.append(Followed(
                tuple(weakref.ref(parameter) for _, parameter in alike), type(model).__name__,
                tuple(name for name, _ in alike), place if known else self._places.get(model),
                _flat(alike[0][1]).clone(),
            ))

    def _stepping(self, optimizer: Any) -> None:
        if self._clock.looks and self._followed:
            held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
            for each in self._followed:
                if all(id(reference()) in held for reference in each.parameters):
                    each.feed()

    def _stepped(self, _: Any) -> None:
        if self._clock.looks:
            for each in self._followed:
                each.compare()


def _filling(look: Any, original: Any) -> Any:
    @wraps(original)
    def fill(tensor: Any, *arguments: Any, **named: Any) -> Any:
        look(tensor)
        return original(tensor, *arguments, **named)

    return fill


def _matrices(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Trainable weights of two units or more with two inputs or more; norms have none of these."""
    for name, parameter in model.named_parameters():
        units = parameter.dim() > 1 and parameter.shape[0] > 1 and parameter[0].numel() > 1
        dense = parameter.is_floating_point() and not (parameter.is_sparse or parameter.is_meta)
        if units and dense and parameter.requires_grad and parameter.numel() <= LARGEST:
            yield name, parameter


def _flat(parameter: Tensor) -> Tensor:
    return parameter.detach().flatten(1)


def _units(each: Followed) -> AlikeUnits:
    first = float(each.start[0, 0])
    return AlikeUnits(
        model=each.model, name=each.names[0], shape=(each.start.shape[0], each.start.shape[1]),
        value=first if bool((each.start == first).all()) else None, place=each.place, fed=each.fed, still=each.still,
        moved=each.moved, flat=each.flat,
    )


def _layers(each: Followed) -> AlikeLayers:
    return AlikeLayers(
        model=each.model, names=(each.names[0], each.names[1]), place=each.place, fed=each.fed, still=each.still,
        moved=each.moved,
    )
