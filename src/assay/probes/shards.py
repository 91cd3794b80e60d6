"""Shards: how examples are dealt out to the ranks.

Nothing is hooked before a process group of several ranks is there, but for the making of a DistributedSampler, which
tells its line. Its iterations are followed index by index, so that those in which steps are taken are known from those
of an evaluation. The inputs of the first training passes leave a digest, by which ranks can be compared.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.utils.data.distributed import DistributedSampler

from assay.facts.distributed import RankShards, ShardFacts, ShardSampler, TrainingBatch
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, Patches, after, asked_by_user, place_of_making, user_place
from assay.process_group import ALONE, NUMBERS_OF_A_SCORE, once_grouped, rank, spans_all
from assay.tensors import Fingerprints, first_tensor
from assay.traffic import Delivered, Pass, Traffic

SAMPLERS = 16
ITERATIONS = 16
BATCHES = 16
"""Training passes whose inputs are told apart: the first ones."""

ROWS = 4096
"""The largest batch of these, in examples."""

SCORES = 64
"""Sums over ranks that are read, in search of a count of examples."""


@dataclass(eq=False)
class Dealt:
    """What is known of one DistributedSampler."""

    place: Place | None
    sampler: weakref.ref[Any]
    record: tuple[bool, int, int, int] | None = None
    epochs: list[int] = field(default_factory=list)
    trained: list[bool] = field(default_factory=list)
    counted: Place | None = None
    exact: Place | None = None

    @property
    def evaluates(self) -> bool:
        """Whether no step was taken in the iteration that came last."""
        return bool(self.trained) and not self.trained[-1]


class Shards:
    """Records what each rank is given."""

    name = "shards"
    kinds: tuple[type[Fact], ...] = (ShardFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._contained = partial(faults.contained, self.name)
        self._traffic = traffic
        self._patches = Patches()
        self._fingerprints = Fingerprints()
        self._rank: tuple[int, int] | None = None
        self._dealt: list[Dealt] = []
        self._latest: Dealt | None = None
        self._loader: Place | None = None
        self._place: Place | None = None
        self._batches: list[TrainingBatch] = []
        self._read = 0
        self._look = self._contained(self._passed)

    def attach(self) -> None:
        """Listen for samplers, and wait for a process group."""
        self._patches.replace(DistributedSampler, "__init__", partial(after, self._contained(self._made)))
        once_grouped(self._patches, self._contained(self._begin))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """Samplers and first batches of this rank."""
        if self._rank is None:
            return FactSet(absent={ShardFacts: Absent(ALONE, applicable=False)})
        number, world = self._rank
        return FactSet.of(ShardFacts(ranks=(RankShards(
            number=number, world=world, samplers=tuple(_sampler(each) for each in self._dealt if each.record),
            batches=tuple(self._batches), place=self._place,
        ),)))

    def _begin(self) -> None:
        if self._rank is not None or rank() is None:
            return
        self._rank = rank()
        self._patches.replace(DistributedSampler, "__iter__", self._iterating)
        self._patches.replace(dist, "all_reduce", partial(_summed, self._contained(self._reduced)))
        self._traffic.passed.append(self._look)
        self._traffic.delivered.append(self._contained(self._delivered))

    def _made(self, sampler: Any) -> None:
        if len(self._dealt) < SAMPLERS:
            self._dealt.append(Dealt(place_of_making(sampler), weakref.ref(sampler)))

    def _iterating(self, original: Any) -> Any:
        @wraps(original)
        def __iter__(this: Any) -> Iterator[Any]:  # noqa: N807  # as it is named in tracebacks
            indices = original(this)
            dealt = next((each for each in self._dealt if each.sampler() is this), None)
            if dealt is None or len(dealt.epochs) >= ITERATIONS:
                return iter(indices)
            self._latest = dealt
            dealt.record = bool(this.shuffle), int(this.num_replicas), len(this.dataset), int(this.total_size)
            dealt.epochs.append(int(this.epoch))
            dealt.trained.append(False)
            return _followed(self._clock, iter(indices), dealt.trained)

        return __iter__

    def _delivered(self, delivered: Delivered) -> None:
        self._loader = delivered.place

    def _passed(self, passed: Pass) -> None:
        """Note the inputs of a training pass; leave once there are enough."""
        if not passed.recorded or not passed.training or not passed.entry or self._traffic.silent:
            return
        inputs = first_tensor((passed.arguments, passed.named))
        if inputs is None or len(inputs) > ROWS or inputs.is_sparse:
            return
        if len(self._batches) >= BATCHES:
            self._traffic.passed.remove(self._look)
            return
        self._place = self._place or self._loader or user_place()
        digest = int(self._fingerprints.of(inputs).sum())
        self._batches.append(TrainingBatch(number=len(self._batches), rows=len(inputs), digest=digest))

    def _reduced(self, tensor: Any, named: dict[str, Any]) -> None:
        """A sum over ranks: is it the number of examples of the evaluation that went before?"""
        dealt = self._latest
        if dealt is None or dealt.record is None or not dealt.evaluates or self._read >= SCORES:
            return
        if not isinstance(tensor, Tensor) or tensor.numel() > NUMBERS_OF_A_SCORE or not spans_all(named):
            return
        if not asked_by_user():  # a library's own weighing of what it logs
            return
        _, _, rows, total = dealt.record
        if total > rows:
            self._read += 1
            values = tensor.detach().flatten().tolist()
            if total in values:
                dealt.counted = dealt.counted or user_place()
            elif rows in values:
                dealt.exact = user_place()


def _followed(clock: Clock, indices: Iterator[Any], trained: list[bool]) -> Iterator[Any]:
    """Indices as they are, while it is noted whether a step is taken before the last of them."""
    steps, at = clock.steps, len(trained) - 1
    for index in indices:
        if clock.steps != steps:
            trained[at] = True
            break
        yield index
    else:
        return
    yield index
    yield from indices


def _summed(look: Callable[..., None], original: Any) -> Any:
    """`all_reduce` that then shows a sum to `look`, unless the program goes on before it is there."""
    is_compiling = torch.compiler.is_compiling

    @wraps(original)
    def all_reduce(*arguments: Any, **named: Any) -> Any:
        work = original(*arguments, **named)
        if work is None and not is_compiling():
            look(arguments[0] if arguments else named.get("tensor"), named)
        return work

    return all_reduce


def _sampler(dealt: Dealt) -> ShardSampler:
    assert dealt.record is not None
    shuffle, replicas, rows, total = dealt.record
    return ShardSampler(
        place=dealt.place, shuffle=shuffle, replicas=replicas, rows=rows, total=total, epochs=tuple(dealt.epochs),
        trained=tuple(dealt.trained), counted=dealt.counted, exact=dealt.exact,
    )
