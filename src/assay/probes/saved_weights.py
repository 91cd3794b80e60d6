"""Saved weights: whether what is written to files is what was trained.

Before its first step, a sum of each parameter of a trained model is taken; a dictionary of weights that is written
later is held against these and against the living parameters, name by name.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.saved_weights import Origin, SavedRecord, SavedWeights
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Patches, user_place
from assay.traffic import Made, Pass, Traffic
from assay.weak_identity import IdentityDict

MODELS, MADE, SAVES = 32, 256, 64
"""Trained models, made modules and writings that are looked at."""

NUMBERS = 1 << 22
"""Larger parameters are left alone."""

DEEPEST = 3
"""Levels of dictionaries within a checkpoint that are searched."""


ORDER: tuple[Origin, ...] = ("live", "other", "initial", "untrained")
"""Of several models of one form, what is written is taken for the soundest that it may be."""


@dataclass(eq=False)
class Trained:
    """A model that had a recorded pass, and its parameters' sums before the first step after that."""

    reference: weakref.ref[nn.Module]
    sums: dict[str, float]


class SavedWeightsProbe:
    """Records what is written to files."""

    name = "saved weights"
    kinds: tuple[type[Fact], ...] = (SavedWeights,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._patches = Patches()
        self._trained: IdentityDict[nn.Module, Trained] = IdentityDict()
        self._fresh: list[weakref.ref[nn.Module]] = []
        self._saves: list[SavedRecord] = []

    def attach(self) -> None:
        """Listen, and wrap torch.save."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.made.append(self._faults.contained(self.name, self._made))
        look = self._faults.contained(self.name, self._saved)
        self._patches.replace_held(torch, "save", partial(_saving, look))

    def detach(self) -> None:
        """Put the original back."""
        self._patches.restore()
        self._fresh = []

    def facts(self) -> FactSet:
        """The writings; absent where no trained model's weights were written."""
        if not self._saves:
            why = "no weights of a trained model were written to a file"
            return FactSet(absent={SavedWeights: Absent(why, applicable=False)})
        return FactSet.of(SavedWeights(saves=tuple(self._saves)))

    def _passed(self, passed: Pass) -> None:
        model = passed.module
        if passed.recorded and model not in self._trained and len(self._trained) < MODELS:
            sums = {name: _sum(each) for name, each in model.named_parameters()}
            self._trained[model] = Trained(weakref.ref(model), sums)

    def _made(self, made: Made) -> None:
        if not made.copied and len(self._fresh) < MADE:
            self._fresh.append(weakref.ref(made.module))

    def _saved(self, value: Any) -> None:
        if len(self._saves) >= SAVES or not self._clock.steps:
            return
        for state in _states(value, DEEPEST):
            found: dict[Origin, str] = {}
            for model, trained in list(self._trained.items()):
                own = dict(model.named_parameters())
                if own and self._is_trained(own) and _alike(state, own):
                    found[self._origin(state, own, trained.sums)] = type(model).__name__
            origin = next((each for each in ORDER if each in found), None)
            if origin is not None:
                self._saves.append(SavedRecord(
                    origin=origin, model=found[origin], place=user_place(), steps=self._clock.steps,
                ))

    def _is_trained(self, own: Mapping[str, Any]) -> bool:
        return any(self._book.note(each).optimised for each in own.values())

    def _origin(self, state: Mapping[str, Any], own: Mapping[str, Tensor], before: Mapping[str, float]) -> Origin:
        saved = {name: _sum(state[name]) for name in own}
        now = {name: _sum(each) for name, each in own.items()}
        if saved == now:
            return "live"
        if all(saved[name] == before.get(name) for name in own):
            return "initial"
        return "untrained" if any(self._is_fresh(each, state) for each in _living(self._fresh)) else "other"

    def _is_fresh(self, module: nn.Module, state: Mapping[str, Any]) -> bool:
        """Whether these are a module's own tensors, which nobody has trained, loaded, or written to at each step."""
        own = dict(module.named_parameters())
        if not own or not _alike(state, own):
            return False
        notes = [self._book.note(each) for each in own.values()]
        shared = all(state[name].data_ptr() == each.data_ptr() for name, each in own.items())
        written = max(each._version for each in own.values()) >= self._clock.steps  # noqa: SLF001  # counts writes
        return shared and not written and not any(note.optimised or note.loaded or note.moved for note in notes)


def _living(references: list[weakref.ref[nn.Module]]) -> Iterator[nn.Module]:
    return (module for reference in references if (module := reference()) is not None)


def _states(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    """Dictionaries of weights, in a checkpoint."""
    if isinstance(value, nn.Module):
        yield value.state_dict()
    elif isinstance(value, Mapping):
        if value and all(isinstance(each, Tensor) for each in value.values()):
            yield value
        elif depth:
            for each in value.values():
                yield from _states(each, depth - 1)


def _alike(state: Mapping[str, Any], own: Mapping[str, Tensor]) -> bool:
    """Whether a dictionary has all of a model's parameters, in their shapes and types."""
    return all(
        isinstance(found := state.get(name), Tensor) and found.shape == each.shape and found.dtype == each.dtype
        for name, each in own.items()
    )


def _sum(values: Tensor) -> float:
    return float(values.detach().double().sum()) if values.numel() <= NUMBERS else 0.0


def _saving(before: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def save(*arguments: Any, **named: Any) -> Any:
        before(arguments[0] if arguments else named.get("obj"))
        return original(*arguments, **named)

    return save
