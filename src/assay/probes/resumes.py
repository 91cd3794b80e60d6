"""Resumes: whether training that goes on from a checkpoint goes on with its optimizer and scheduler as well.

Of a checkpoint that the user's own code reads, what it holds is noted, and its tensors are held weakly: a module that
is handed these was loaded from it.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer, lr_scheduler

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.resumes import ReloadFacts, ResumeRecord
from assay.probe import Faults, Patches, after, asked_by_user, own_files, user_place
from assay.program_text import begins_at, tree_of
from assay.tensors import tensors_in
from assay.traffic import Traffic

CHECKPOINTS = 16
"""Checkpoints that are followed; of a program that reads more, the last."""

MOST_ENTRIES = 32
"""A checkpoint has a few entries, a state dict by itself has many."""


@dataclass(eq=False)
class Checkpoint:
    """What was read of a file, and what became of it."""

    entries: tuple[str, ...]
    tensors: dict[int, weakref.ref[Tensor]]
    groups: list[dict[str, Any]] | None
    held_steps: int | None
    scheduler_at: int | None
    optimizer_loaded: bool = False
    scheduler_loaded: bool = False
    place: Place | None = None
    parameters: list[weakref.ref[Tensor]] = field(default_factory=list)

    def gave(self, given: Mapping[str, Any]) -> bool:
        """Whether these are its tensors."""
        known = [self.tensors.get(id(value)) for value in given.values()]
        return any(each is not None and each() is value for each, value in zip(known, given.values(), strict=True))


class Resumes:
    """Records from which checkpoints training goes on, and how."""

    name = "resumes"
    kinds: tuple[type[Fact], ...] = (ReloadFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._checkpoints: list[Checkpoint] = []
        self._read = 0
        self._resumes: list[ResumeRecord] = []
        self._schedulers: list[weakref.ref[Any]] = []
        self._look = faults.contained(self.name, self._stepping)

    def attach(self) -> None:
        """Wrap the reading of files and the loading of states."""
        self._patches.replace_held(torch, "load", self._reading)
        self._patches.replace(nn.Module, "load_state_dict", partial(self._loading, look=self._weights))
        optimizer, scheduler = partial(self._mark, "optimizer_loaded"), partial(self._mark, "scheduler_loaded")
        self._patches.replace(Optimizer, "load_state_dict", partial(self._loading, look=optimizer))
        made = self._faults.contained(self.name, lambda scheduler: self._schedulers.append(weakref.ref(scheduler)))
        self._patches.replace(lr_scheduler.LRScheduler, "__init__", partial(after, made))
        for kind in vars(lr_scheduler).values():
            own = isinstance(kind, type) and issubclass(kind, lr_scheduler.LRScheduler)
            if own and "load_state_dict" in vars(kind):
                self._patches.replace(kind, "load_state_dict", partial(self._loading, look=scheduler))

    def detach(self) -> None:
        """Put the originals back, and forget the checkpoints."""
        self._patches.restore()
        self._checkpoints.clear()

    def facts(self) -> FactSet:
        """What training went on from; absent where no checkpoint was read."""
        if not self._read:
            return FactSet(absent={ReloadFacts: Absent("the program reads no checkpoint", applicable=False)})
        return FactSet.of(ReloadFacts(read=self._read, resumes=tuple(self._resumes)))

    def _reading(self, original: Any) -> Any:
        note = self._faults.contained(self.name, self._note)

        @wraps(original)
        def load(*arguments: Any, **named: Any) -> Any:
            value = original(*arguments, **named)
            if isinstance(value, Mapping) and asked_by_user():
                note(value)
            return value

        return load

    def _loading(self, original: Any, look: Any) -> Any:
        told = self._faults.contained(self.name, look)

        @wraps(original)
        def load_state_dict(this: Any, *arguments: Any, **named: Any) -> Any:
            result = original(this, *arguments, **named)
            if self._checkpoints:
                told(this, arguments[0] if arguments else named.get("state_dict"))
            return result

        return load_state_dict

    def _note(self, value: Mapping[str, Any]) -> None:
        self._read += 1
        self._checkpoints = [*self._checkpoints, _checkpoint(value)][-CHECKPOINTS:]

    def _weights(self, module: nn.Module, given: Any) -> None:
        for checkpoint in self._checkpoints:
            own = dict(module.named_parameters())
            if isinstance(given, Mapping) and own.keys() <= given.keys() and checkpoint.gave(given):
                checkpoint.place = user_place()
                checkpoint.parameters = [weakref.ref(parameter) for parameter in own.values()]
                if self._look not in self._traffic.stepping:
                    self._traffic.stepping.append(self._look)

    def _mark(self, what: str, _: Any, __: Any) -> None:
        for checkpoint in self._checkpoints:
            setattr(checkpoint, what, True)

    def _stepping(self, optimizer: Optimizer) -> None:
        """The first step of the optimizer that trains loaded weights: what does it begin with?"""
        held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        for checkpoint in list(self._checkpoints):
            if any(id(reference()) in held for reference in checkpoint.parameters):
                self._checkpoints.remove(checkpoint)
                stateless = not optimizer.state and optimizer.defaults.get("momentum") != 0
                if stateless or checkpoint.optimizer_loaded:
                    anew = _scheduled_anew(self._schedulers, optimizer)
                    self._resumes.append(_resume(checkpoint, optimizer, fresh_schedule=anew))
        if not any(checkpoint.parameters for checkpoint in self._checkpoints):
            self._traffic.stepping.remove(self._look)


def _scheduled_anew(schedulers: list[weakref.ref[Any]], optimizer: Optimizer) -> bool:
    """Whether a scheduler of this optimizer stands at its beginning."""
    alive = [scheduler for reference in schedulers if (scheduler := reference()) is not None]
    return any(each.optimizer is optimizer and each.last_epoch == 0 for each in alive)


def _checkpoint(value: Mapping[str, Any]) -> Checkpoint:
    states = list(_mappings(value))
    optimizers = [each for each in states if {"state", "param_groups"} <= each.keys() and each["state"]]
    schedulers = [each for each in states if "last_epoch" in each and "_last_lr" in each]
    inside = {id(tensor) for each in optimizers for tensor in tensors_in(dict(each))}
    return Checkpoint(
        entries=tuple(map(str, value)) if len(value) <= MOST_ENTRIES else (),
        tensors={id(tensor): weakref.ref(tensor) for tensor in tensors_in(dict(value)) if id(tensor) not in inside},
        groups=[_settings(group) for group in optimizers[0]["param_groups"]] if optimizers else None,
        held_steps=_steps_of(optimizers[0]) if optimizers else None,
        scheduler_at=int(schedulers[0]["last_epoch"]) if schedulers else None,
    )


def _mappings(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The entries that are mappings or lists of such: the states of one or several optimizers."""
    for entry in value.values():
        for part in entry if isinstance(entry, list | tuple) else [entry]:
            if isinstance(part, Mapping):
                yield part


def _settings(group: Mapping[str, Any]) -> dict[str, Any]:
    """What a group was made with: the rate before any scheduler, the decay, and how many parameters it holds."""
    return {
        "lr": float(group.get("initial_lr", group.get("lr", 0.0))), "weight_decay": group.get("weight_decay"),
        "parameters": len(group["params"]), "betas": group.get("betas"), "momentum": group.get("momentum"),
    }


def _steps_of(state: Mapping[str, Any]) -> int | None:
    first = next(iter(state["state"].values()), None)
    return int(first["step"]) if isinstance(first, Mapping) and "step" in first else None


def _resume(checkpoint: Checkpoint, optimizer: Optimizer, *, fresh_schedule: bool) -> ResumeRecord:
    trees = [tree for tree in map(tree_of, own_files()) if tree is not None]
    return ResumeRecord(
        place=checkpoint.place, optimizer=type(optimizer).__name__, entries=checkpoint.entries,
        held=checkpoint.groups is not None and not checkpoint.optimizer_loaded, held_steps=checkpoint.held_steps,
        continues=checkpoint.groups == [_settings(each) for each in optimizer.param_groups],
        restored=checkpoint.optimizer_loaded, rate=float(optimizer.param_groups[0].get("lr", 0.0)),
        scheduler_at=checkpoint.scheduler_at if fresh_schedule and not checkpoint.scheduler_loaded else None,
        counts_on=any(begins_at(tree, set(checkpoint.entries)) for tree in trees),
    )
