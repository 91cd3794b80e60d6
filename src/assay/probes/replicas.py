"""Replicas: parameters that the ranks of a program should hold alike, and what they were.

Two things promise that they are alike: DistributedDataParallel over all ranks, and gradients that the program reduces
over all ranks itself. Nothing is hooked before a process group of several ranks is there. What parameters were is noted
just before an optimizer's step: then a sharded optimizer has spread its part, and weights that were swapped for an
evaluation on one rank are back.
"""

from __future__ import annotations

import sys
import weakref
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

from assay.facts.distributed import Promise, RankReplicas, ReplicaFacts, ReplicatedParameters, Snapshot
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, Patches, after, user_place
from assay.process_group import ALONE, hearing, once_grouped, rank, reduced_place
from assay.tensors import Fingerprints
from assay.traffic import Traffic
from assay.weak_identity import IdentityDict

OPTIMIZERS = 16
PARAMETERS = 256
"""Of each optimizer that are compared, the first ones."""

NUMBERS = 4096
"""Of each parameter that are compared, the first ones."""

SNAPSHOTS = 16
REDUCED = 4096
"""Gradients that are remembered as reduced between two steps."""

SPREADING = ("all_reduce", "broadcast", "reduce", "all_gather_into_tensor")
"""Functions by which programs average or spread parameters by themselves."""

AVERAGERS = "torch.distributed.algorithms.model_averaging.averagers"
"""PyTorch's own way to let replicas differ between averages; imported by nobody else."""


@dataclass(eq=False)
class Followed:
    """An optimizer; `parameters` are those of it that should be equal on all ranks, once that is known."""

    steps: int = 0
    promise: Promise | None = None
    place: Place | None = None
    named: tuple[str, ...] = ()
    notes: tuple[ParameterNote, ...] = ()
    parameters: tuple[weakref.ref[Tensor], ...] = ()
    snapshots: list[Snapshot] = field(default_factory=list)
    exchanged: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Within the wrapped module, which is the same on all ranks, else as the program calls them by now."""
        return self.named or tuple(note.name for note in self.notes)

    def living(self) -> list[Tensor]:
        """The parameters that still are."""
        return [each for reference in self.parameters if (each := reference()) is not None]

    def holds(self, tensor: Tensor) -> bool:
        """Whether a tensor is one of the parameters, or all of them in one."""
        living = self.living()
        alone = any(each.data_ptr() == tensor.data_ptr() for each in living)
        return alone or tensor.numel() == sum(map(torch.numel, living))

    def find(self, optimizer: Optimizer, wrapped: dict[int, str], reduced: set[int], book: ParameterBook) -> None:
        """Which of the optimizer's parameters should be equal on all ranks, and why.

        wrapped     names of parameters within wrapped modules, by identity
        reduced     where gradients lie that the program has reduced since the step before
        """
        held = [each for group in optimizer.param_groups for each in group["params"] if _plain(each)]
        chosen = [each for each in held if id(each) in wrapped]
        promise: Promise = "wrapped"
        if not chosen:
            chosen = [each for each in held if each.grad is not None and each.grad.data_ptr() in reduced]
            promise = "reduced"
        if chosen:
            chosen = chosen[:PARAMETERS]
            self.promise, self.place = promise, user_place()
            self.parameters = tuple(map(weakref.ref, chosen))
            self.named = tuple(wrapped[id(each)] for each in chosen if id(each) in wrapped)
            self.notes = tuple(map(book.note, chosen))


class Replicas:
    """Records what replicated parameters were."""

    name = "replicas"
    kinds: tuple[type[Fact], ...] = (ReplicaFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._contained = partial(faults.contained, self.name)
        self._book = book
        self._traffic = traffic
        self._patches = Patches()
        self._fingerprints = Fingerprints()
        self._rank: tuple[int, int] | None = None
        self._wrapped: IdentityDict[nn.Module, dict[int, str]] = IdentityDict()
        self._followed: list[Followed] = []
        self._by_optimizer: weakref.WeakKeyDictionary[Optimizer, Followed] = weakref.WeakKeyDictionary()
        self._reduced: set[int] = set()
        self._running: list[weakref.ref[Optimizer]] = []

    def attach(self) -> None:
        """Wait for a process group."""
        once_grouped(self._patches, self._contained(self._begin))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """Parameters of this rank, of each optimizer that holds such."""
        if self._rank is None:
            return FactSet(absent={ReplicaFacts: Absent(ALONE, applicable=False)})
        number, world = self._rank
        averaged = AVERAGERS in sys.modules
        records = tuple(
            ReplicatedParameters(
                promise=each.promise, place=each.place, names=each.names, snapshots=tuple(each.snapshots),
                exchanged=each.exchanged or averaged,
            ) for each in self._followed if each.promise is not None
        )
        return FactSet.of(ReplicaFacts(ranks=(RankReplicas(number=number, world=world, parameters=records),)))

    def _begin(self) -> None:
        if self._rank is not None or rank() is None:
            return
        self._rank = rank()
        self._patches.replace(DistributedDataParallel, "__init__", partial(after, self._contained(self._made)))
        for name in SPREADING:
            look = self._contained(self._reducing if name == "all_reduce" else self._spreading)
            self._patches.replace(dist, name, partial(hearing, look))
        self._traffic.stepping.append(self._contained(self._step_begins))
        self._traffic.stepped.append(self._contained(self._step_ended))

    def _made(self, wrapper: DistributedDataParallel) -> None:
        if dist.get_world_size(wrapper.process_group) == dist.get_world_size():
            ignored = set(wrapper.parameters_to_ignore)
            named = wrapper.module.named_parameters()
            trained = {id(each): name for name, each in named if each.requires_grad and name not in ignored}
            self._wrapped[wrapper.module] = trained

    def _reducing(self, tensor: Any, named: dict[str, Any]) -> None:
        place = reduced_place(tensor, named)
        if place is not None and len(self._reduced) < REDUCED:
            self._reduced.add(place)
        self._spreading(tensor, named)

    def _spreading(self, tensor: Any, _: dict[str, Any]) -> None:
        """Parameters that the program averages or spreads after the first step may differ before it does."""
        for each in self._followed:
            if isinstance(tensor, Tensor) and each.steps and not each.exchanged:
                each.exchanged = each.holds(tensor)

    def _step_begins(self, optimizer: Optimizer) -> None:
        running = [reference() for reference in self._running]
        if optimizer in running:  # an earlier step of it was broken off
            del self._running[running.index(optimizer):]
        self._running.append(weakref.ref(optimizer))
        if len(self._running) > 1 or not self._clock.looks:  # within another: its part of a sharded one
            return
        if optimizer not in self._by_optimizer and len(self._followed) < OPTIMIZERS:
            self._followed.append(Followed())
            self._by_optimizer[optimizer] = self._followed[-1]
        followed = self._by_optimizer.get(optimizer)
        if followed is not None:
            if followed.promise is None:
                wrapped = {key: name for names in self._wrapped.values() for key, name in names.items()}
                followed.find(optimizer, wrapped, self._reduced, self._book)
            if followed.promise is not None and len(followed.snapshots) < SNAPSHOTS:
                followed.snapshots.append(_snapshot(followed, optimizer, self._fingerprints))

    def _step_ended(self, optimizer: Optimizer) -> None:
        running = [reference() for reference in self._running]
        if optimizer in running:
            del self._running[running.index(optimizer):]
        if not self._running:
            self._reduced.clear()
            if optimizer in self._by_optimizer:
                self._by_optimizer[optimizer].steps += 1


def _snapshot(followed: Followed, optimizer: Optimizer, fingerprints: Fingerprints) -> Snapshot:
    parts = list(map(_part, followed.living()))
    gradients = [each.grad for each in followed.living() if each.grad is not None and not each.grad.is_sparse]
    return Snapshot(
        step=followed.steps,
        digests=tuple(_digest(part, fingerprints) for part in parts),
        projections=tuple(_projected(part) for part in parts),
        norms=tuple(float(part.norm()) for part in parts),
        gradients=sum(_digest(_part(each), fingerprints) for each in gradients),
        rates=tuple(float(group.get("lr", 0.0)) for group in optimizer.param_groups),
    )


def _digest(part: Tensor, fingerprints: Fingerprints) -> int:
    return int(fingerprints.of(part[None]))


def _plain(parameter: Tensor) -> bool:
    """Whether this is held whole: not a part of a sharded tensor."""
    return type(parameter) in (nn.Parameter, Tensor) and not parameter.is_meta and not parameter.is_complex()


def _part(tensor: Tensor) -> Tensor:
    return tensor.detach().flatten()[:NUMBERS].double()


def _projected(part: Tensor) -> float:
    """Along a fixed direction whose entries are of unit size, and alike in no two parts."""
    direction = torch.arange(1, len(part) + 1, dtype=torch.float64, device=part.device).mul_(2.399963).cos_()
    return float(part @ direction)
