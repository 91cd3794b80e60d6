"""Torch's randomness: whether the numbers that training starts from were drawn from a seeded generator.

Nothing is drawn, and no state is changed. The generator itself tells whether it was seeded: its initial seed is no
longer the one that the process began with. What it gave counts where it matters: initial weights that an optimizer then
trains, as they were drawn, and numbers drawn between steps (shuffling, dropout, sampling). A loader's own draw, of a
seed for its workers, doesn't count.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor
from torch.utils.data.dataloader import _BaseDataLoaderIter

from assay.announcing import when_imported
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.randomness import Drawn, TorchRandomness
from assay.probe import Clock, Faults, Patches, user_place
from assay.traffic import Traffic

INITS = (
    "uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_",
    "orthogonal_",
)
GRAPH_INITS = "torch_geometric.nn.inits"
GRAPH_NAMES = ("uniform", "kaiming_uniform", "glorot", "normal")

STEPS = 6
"""Steps at the start that are looked at; two changes of the state between them are no accident of a first batch."""

WEIGHTS = 16


@dataclass(frozen=True)
class Initialised:
    """A tensor that was filled from the unseeded generator, weakly, and how often it had been written to by then."""

    tensor: weakref.ref[Tensor]
    version: int
    drawn: Drawn


class TorchRandomnessProbe:
    """Records the first draw from torch's unseeded generator that training depends on."""

    name = "torch's randomness"
    kinds: tuple[type[Fact], ...] = (TorchRandomness,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._cancel: Callable[[], None] = lambda: None
        self._seeded = False
        self._began = 0
        self._initialised: list[Initialised] = []
        self._state: Tensor | None = None
        self._changes = 0
        self._drawn: Drawn | None = None
        self._look = faults.contained(self.name, self._stepping)

    def attach(self) -> None:
        """Wrap seeding, the initialisation of weights and the start of loaders; look before the first steps."""
        self._began = torch.initial_seed()
        seed, load = (self._faults.contained(self.name, look) for look in (self._seed, self._load))
        self._patches.replace_held(torch, "manual_seed", partial(_after_telling, seed))
        self._patches.replace(_BaseDataLoaderIter, "__init__", partial(_after_telling, load))
        self._wrap("torch.nn.init", INITS)
        wrap = self._faults.contained(self.name, partial(self._wrap, GRAPH_INITS, GRAPH_NAMES))
        self._cancel = when_imported(GRAPH_INITS, wrap)
        self._traffic.stepping.append(self._look)

    def detach(self) -> None:
        """Put the originals back, and forget the weights."""
        self._cancel()
        self._patches.restore()
        self._initialised.clear()
        self._state = None

    def facts(self) -> FactSet:
        """The first draw; absent where nothing was trained."""
        if not self._clock.steps:
            return FactSet(absent={TorchRandomness: Absent("nothing was trained", applicable=False)})
        return FactSet.of(TorchRandomness(drawn=self._drawn))

    def _wrap(self, module: str, names: tuple[str, ...]) -> None:
        for name in names:
            self._patches.replace(sys.modules[module], name, self._filling)

    def _seed(self) -> None:
        self._seeded = True

    def _load(self) -> None:
        self._state = None  # what it draws is nobody's randomness

    def _filling(self, original: Any) -> Any:
        note = self._faults.contained(self.name, self._fill)

        @wraps(original)
        def fill(*arguments: Any, **named: Any) -> Any:
            filled = original(*arguments, **named)
            if not self._seeded and len(self._initialised) < WEIGHTS and named.get("generator") is None:
                note(original.__name__, next((each for each in arguments if isinstance(each, Tensor)), None))
            return filled

        return fill

    def _fill(self, name: str, tensor: Tensor | None) -> None:
        if tensor is not None and torch.initial_seed() == self._began:
            drawn = Drawn(source="torch", by=name, place=user_place(), step=self._clock.steps)
            self._initialised.append(Initialised(weakref.ref(tensor), tensor._version, drawn))  # noqa: SLF001

    def _stepping(self, optimizer: Any) -> None:
        if self._drawn is None and not self._seeded and torch.initial_seed() == self._began:
            before, self._state = self._state, torch.get_rng_state()
            self._changes += before is not None and not torch.equal(before, self._state)
            if self._changes > 1 and not self._initialised:
                what = "what each step draws"
                self._drawn = Drawn(source="torch", by=what, place=user_place(), step=self._clock.steps)
        if self._drawn is None:
            held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
            self._drawn = next((each.drawn for each in self._initialised if _trains(each, held)), None)
        if self._drawn is not None or self._clock.steps >= STEPS:
            self._initialised.clear()
            self._traffic.stepping.remove(self._look)



def _after_telling(told: Callable[[], None], original: Any) -> Any:
    @wraps(original)
    def function(*arguments: Any, **named: Any) -> Any:
        told()
        return original(*arguments, **named)

    return function


def _trains(each: Initialised, held: set[int]) -> bool:
    """Whether an optimizer holds the tensor, and nobody has written to it since it was filled."""
    tensor = each.tensor()
    return tensor is not None and id(tensor) in held and tensor._version == each.version  # noqa: SLF001
