"""Facts about a program that trains in several processes: what each rank saw, side by side.

A rank knows itself alone; where a watch saw several, their records stand together, in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class RankRecord:
    """Base of what one rank saw: its number, from 0, of `world` ranks."""

    number: int
    world: int


@dataclass(frozen=True, kw_only=True)
class RankedFact(Fact):
    """Base of facts that several ranks contribute to."""

    ranks: tuple[RankRecord, ...]

    @classmethod
    def gathered(cls, facts: Sequence[Self]) -> Self:
        """The records of all ranks in one fact; the first of each rank counts."""
        records = {record.number: record for fact in reversed(facts) for record in fact.ranks}
        return cls(ranks=tuple(records[number] for number in sorted(records)))

    @property
    def world(self) -> int:
        """Ranks that the program has."""
        return max((record.world for record in self.ranks), default=0)


Promise = Literal["wrapped", "reduced"]
"""Why parameters should be equal on all ranks: a wrapper keeps them so, or the program reduces their gradients itself
over all ranks."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Parameters just before an optimizer's step.

    step            of the optimizers that hold them, steps before this one
    digests         one a parameter, equal for equal bits of its first numbers
    projections     one a parameter: its numbers along a fixed direction of unit entries
    norms           one a parameter
    gradients       a digest of all gradients
    rates           learning rates of the optimizer's groups
    """

    step: int
    digests: tuple[int, ...]
    projections: tuple[float, ...]
    norms: tuple[float, ...]
    gradients: int
    rates: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ReplicatedParameters:
    """Parameters that should be equal on all ranks, by name, and what they were.

    place       the line that steps their optimizer
    exchanged   the program itself averages or spreads the parameters now and then: until it does, they may differ
    """

    promise: Promise
    place: Place | None
    names: tuple[str, ...]
    snapshots: tuple[Snapshot, ...]
    exchanged: bool


@dataclass(frozen=True, kw_only=True)
class WrapperRecord:
    """One DistributedDataParallel.

    place           the line that wraps
    ranks           that it spans
    steps           of optimizers that hold its parameters, those that were looked at
    bypassed        of these, those whose gradients come from calls past the wrapper alone, and that nobody reduced
    bypass          the line of such a call
    replaced        trained parameters that came into the module after it was wrapped
    thawed          trained parameters that were frozen when it was wrapped
    """

    place: Place | None
    ranks: int
    steps: int
    bypassed: int
    bypass: Place | None
    replaced: tuple[str, ...]
    thawed: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RankWrappers(RankRecord):
    """The wrappers of one rank, in the order of their making, which is the same on all ranks."""

    wrappers: tuple[WrapperRecord, ...]


@dataclass(frozen=True, kw_only=True)
class WrapperFacts(RankedFact):
    """The wrappers of models, rank by rank."""

    ranks: tuple[RankWrappers, ...]


@dataclass(frozen=True, kw_only=True)
class RankReplicas(RankRecord):
    """The replicated parameters of one rank."""

    parameters: tuple[ReplicatedParameters, ...]


@dataclass(frozen=True, kw_only=True)
class ReplicaFacts(RankedFact):
    """What should be equal on all ranks, rank by rank."""

    ranks: tuple[RankReplicas, ...]


@dataclass(frozen=True, kw_only=True)
class ShardSampler:
    """One DistributedSampler.

    rows        examples of its data set
    total       examples that it hands out on all ranks together: more than `rows` where it repeats some
    epochs      the epoch that was set when each of its first iterations began
    trained     whether optimizer steps were taken while that iteration went on
    counted     the line that sums a count over the ranks after an iteration without steps, and gets `total`
    exact       the same, where it gets `rows`: the repeated ones are left out
    """

    place: Place | None
    shuffle: bool
    replicas: int
    rows: int
    total: int
    epochs: tuple[int, ...]
    trained: tuple[bool, ...]
    counted: Place | None
    exact: Place | None


@dataclass(frozen=True, kw_only=True)
class TrainingBatch:
    """Inputs of one training pass: its number among them, and a digest that is equal for equal rows in any order."""

    number: int
    rows: int
    digest: int


@dataclass(frozen=True, kw_only=True)
class RankShards(RankRecord):
    """What one rank is given.

    batches     its first training passes
    place       the line that makes the loader of these, else the line of the pass
    """

    samplers: tuple[ShardSampler, ...]
    batches: tuple[TrainingBatch, ...]
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class ShardFacts(RankedFact):
    """How examples are dealt out to the ranks."""

    ranks: tuple[RankShards, ...]
