"""Saves: weights that are kept, written and read again, and whether they are those that were meant.

A state dict's tensors share memory with the living weights. Of each that a program takes one tensor is remembered,
weakly, with its count of writes: used later with another count, it no longer holds what it held when it was taken.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Literal

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.saves import AliasRecord, LoadRecord, SavesFacts
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Patches, asked_by_user, user_place
from assay.tensors import tensors_in

KEPT = 64
"""Records of each kind that are kept."""

NAMED = 5


@dataclass(eq=False)
class Taken:
    """A state dict that was taken: one of its tensors and the parameter behind it, both weakly, and how often these had
    been written to by then.
    """

    tensor: weakref.ref[Tensor]
    parameter: weakref.ref[Tensor]
    module: weakref.ref[nn.Module]
    model: str
    place: Place | None
    version: int
    step: int


class Kept:
    """The state dicts that were taken and are still alive, and the last one of each module."""

    def __init__(self, clock: Clock, book: ParameterBook) -> None:
        self._clock = clock
        self._book = book
        self._taken: OrderedDict[int, Taken] = OrderedDict()
        self._latest: dict[int, Taken] = {}
        self.calls = 0

    def note(self, module: nn.Module, state: Mapping[str, Any]) -> None:
        """A state dict was taken."""
        self.calls += 1
        tensor, parameter = _telling(module, state)
        if tensor is None or parameter is None:
            return
        taken = Taken(
            weakref.ref(tensor, partial(self._forget, id(tensor))), weakref.ref(parameter), weakref.ref(module),
            type(module).__name__, user_place(), tensor._version, self._clock.steps,  # noqa: SLF001  # counts writes
        )
        self._taken[id(tensor)] = self._latest[id(module)] = taken

    def _forget(self, key: int, _: Any) -> None:
        self._taken.pop(key, None)

    def stale(self, value: Any) -> Taken | None:
        """What is remembered of this tensor, if it has been written to since."""
        taken = self._taken.get(id(value))
        tensor = taken.tensor() if taken is not None else None
        if taken is None or tensor is None or tensor is not value:
            return None
        return taken if tensor._version != taken.version and self.trained(taken) else None  # noqa: SLF001

    def trained(self, taken: Taken) -> bool:
        """Whether an optimizer moves the weights, and has since: averages that are written in place are meant."""
        parameter = taken.parameter()
        return self._clock.steps > taken.step and parameter is not None and self._book.note(parameter).optimised

    def latest(self, module: nn.Module) -> Taken | None:
        """The last one that was taken of this module."""
        taken = self._latest.get(id(module))
        return taken if taken is not None and taken.module() is module else None

    def clear(self) -> None:
        """Forget all."""
        self._taken.clear()
        self._latest.clear()


class Saves:
    """Records what is kept, saved and loaded."""

    name = "saves"
    kinds: tuple[type[Fact], ...] = (SavesFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook) -> None:
        self._clock = clock
        self._faults = faults
        self._patches = Patches()
        self._kept = Kept(clock, book)
        self._calls = {"loaded": 0, "read": 0}
        self._unread: list[weakref.ref[Tensor]] = []
        self._aliases: list[AliasRecord] = []
        self._loads: list[LoadRecord] = []

    def attach(self) -> None:
        """Wrap the taking and loading of state dicts, and the writing and reading of files."""
        note, load, compare, save, read = (
            self._faults.contained(self.name, look)
            for look in (self._kept.note, self._load, self._compare, self._save, self._read)
        )
        self._patches.replace(nn.Module, "state_dict", partial(_taking, note))
        self._patches.replace(nn.Module, "load_state_dict", partial(_loading, load, compare))
        self._patches.replace_held(torch, "save", partial(_saving, save))
        self._patches.replace_held(torch, "load", partial(_reading, read))

    def detach(self) -> None:
        """Put the originals back, and forget the tensors."""
        self._patches.restore()
        self._kept.clear()
        self._unread.clear()

    def facts(self) -> FactSet:
        """What was seen; absent where the program neither takes nor loads any state."""
        if not self._kept.calls and not any(self._calls.values()):
            why = "no weights were kept, saved or loaded"
            return FactSet(absent={SavesFacts: Absent(why, applicable=False)})
        return FactSet.of(SavesFacts(
            taken=self._kept.calls, **self._calls, aliases=tuple(self._aliases), loads=tuple(self._loads),
        ))

    def _load(self, module: nn.Module, given: Any) -> None:
        if not isinstance(given, Mapping):
            return
        self._calls["loaded"] += 1
        known = [taken for value in given.values() if (taken := self._kept.stale(value)) is not None]
        if _shares_all(module, given):
            self._restore(module, known)
        elif known and known[0].step:
            self._alias(known[0], "loaded")

    def _compare(self, module: nn.Module, given: Any) -> None:
        if not isinstance(given, Mapping):
            return
        own = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        unread = [tensor for reference in self._unread if (tensor := reference()) is not None]
        idle = bool(unread) and _shares_all(module, given)
        if any(value is tensor for value in given.values() for tensor in unread):
            self._unread = []
        if len(self._loads) < KEPT:
            self._loads.append(_load_record(type(module).__name__, given, own, idle=idle))

    def _restore(self, module: nn.Module, known: list[Taken]) -> None:
        """A module is given its own living weights: it matters if they were kept over steps."""
        if known:
            self._alias(known[0], "restored")
            return
        latest = self._kept.latest(module)
        if latest is not None and self._kept.trained(latest):
            self._alias(latest, "restored")  # what was kept are views of the dictionary's tensors

    def _save(self, saved: Any) -> None:
        for tensor in tensors_in(saved):
            taken = self._kept.stale(tensor)
            if taken is not None and taken.step:
                self._alias(taken, "saved")
                return

    def _read(self, value: Any) -> None:
        self._calls["read"] += 1
        self._unread = [weakref.ref(tensor) for tensor in tensors_in(value)]

    def _alias(self, taken: Taken, use: Literal["restored", "loaded", "saved"]) -> None:
        if len(self._aliases) < KEPT:
            self._aliases.append(AliasRecord(
                model=taken.model, taken=taken.place, used=user_place(), use=use, step=taken.step,
                later=self._clock.steps,
            ))


def _telling(module: nn.Module, state: Mapping[str, Any]) -> tuple[Tensor, Tensor] | tuple[None, None]:
    """The dictionary's tensor of the module's last trainable parameter, the head, which training always moves."""
    for name, parameter in reversed(list(module.named_parameters())):
        value = state.get(name)
        if parameter.requires_grad and isinstance(value, Tensor) and value.data_ptr() == parameter.data_ptr():
            return value, parameter
    return None, None


def _shares_all(module: nn.Module, given: Mapping[str, Any]) -> bool:
    """Whether all of the module's parameters are handed their own memory."""
    pairs = [(given.get(name), parameter) for name, parameter in module.named_parameters() if parameter.numel()]
    return bool(pairs) and all(
        isinstance(value, Tensor) and value.data_ptr() == parameter.data_ptr() for value, parameter in pairs
    )


def _load_record(model: str, given: Mapping[str, Any], own: Mapping[str, Any], *, idle: bool) -> LoadRecord:
    names = {name for name, value in given.items() if isinstance(value, Tensor)}
    return LoadRecord(
        model=model, place=user_place(), given=len(names), own=len(own), matched=len(names & own.keys()),
        unmatched_given=tuple(sorted(names - own.keys())[:NAMED]),
        unmatched_own=tuple(sorted(own.keys() - names)[:NAMED]), idle=idle,
    )


def _taking(note: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def state_dict(module: nn.Module, *arguments: Any, **named: Any) -> Any:
        state = original(module, *arguments, **named)
        if not arguments and "destination" not in named:  # a module's own call for its children hands one over
            note(module, state)
        return state

    return state_dict


def _loading(before: Callable[..., None], after: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def load_state_dict(module: nn.Module, *arguments: Any, **named: Any) -> Any:
        given = arguments[0] if arguments else named.get("state_dict")
        before(module, given)
        unmatched = original(module, *arguments, **named)
        after(module, given)  # one that raises has loaded nothing, and says so itself
        return unmatched

    return load_state_dict


def _saving(before: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def save(*arguments: Any, **named: Any) -> Any:
        before(arguments[0] if arguments else named.get("obj"))
        return original(*arguments, **named)

    return save


def _reading(after: Callable[..., None], original: Any) -> Any:
    @wraps(original)
    def load(*arguments: Any, **named: Any) -> Any:
        value = original(*arguments, **named)
        if asked_by_user():
            after(value)
        return value

    return load
