"""Parameters that all ranks should hold alike differ.

## Why it hurts
Data-parallel training adds up what all ranks see only while they hold the same model. Once they have drifted apart,
each gradient is averaged over different models and fits none of them. The loss falls for a while, then stalls or rises;
which model is saved depends on the rank that saves.

## What is looked at
The parameters of each optimizer that promise to be equal, since DistributedDataParallel spans all ranks or since the
program reduces their gradients over all ranks itself. Just before each step that is looked at, each rank takes a digest
of every parameter. They are compared after the same number of steps, and must differ at the last of these: what one
reduction hands to all ranks is equal bit for bit, and so is what the same optimizer makes of it. A parameter counts
where its digests differ and its numbers, along a fixed direction, lie further apart than a millionth of its norm,
eight times the rounding of single precision: unlike machines may round differently.

## Remedy
Do on every rank what is done to the model: the same clipping, rates, loaded weights and number of steps, and random
draws that change the model under the same seed. Start from equal weights (DistributedDataParallel sees to it, by hand
it is a `broadcast` of each parameter), and let every backward pass that a step follows go through the wrapper.

## When it is wrong to worry
Sharded parameters, parts of a model on different ranks and buffers such as running statistics may differ and aren't
compared. Where the program averages or spreads the parameters itself now and then (local steps), it is not checked.

## References
TrainCheck (OSDI 2025), errors 1, 2 and 18: replicated weights that part unseen. BLOOM's training chronicle: layer norms
that differed over ranks for ten days.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.facts.distributed import RankReplicas, ReplicaFacts, ReplicatedParameters, Snapshot
from assay.rule import ERROR, Finding, NotApplicable, NotChecked, Verdict, Where, rule

APART = 1e-6
NAMED = 5


@dataclass(frozen=True)
class Parted:
    """Two ranks after the same number of steps, and by how much which parameters differ."""

    step: int
    names: tuple[str, ...]
    difference: float


@rule(severity=ERROR, implied_by=("wrapper-bypassed", "wrapped-too-early"))
def replicas_differ(replicas: ReplicaFacts) -> Iterator[Verdict]:
    """Compare each rank with the first."""
    if not any(record.parameters for record in replicas.ranks):
        yield NotApplicable("no parameters were seen that should be equal on all ranks")
        return
    if len(replicas.ranks) < 2:
        yield NotChecked(f"one of {replicas.world} ranks was seen, and it takes two to compare")
        return
    first, *others = replicas.ranks
    for other in others:
        for ours, theirs in zip(first.parameters, other.parameters, strict=False):
            verdict = _compared((first, ours), (other, theirs))
            if verdict is not None:
                yield verdict
                return


def _compared(
    one: tuple[RankReplicas, ReplicatedParameters], other: tuple[RankReplicas, ReplicatedParameters],
) -> Verdict | None:
    ours, theirs = one[1], other[1]
    if ours.exchanged or theirs.exchanged:
        return NotChecked("the program averages or spreads the parameters itself, and they may differ in between")
    if ours.names != theirs.names or ours.promise != theirs.promise:
        return NotChecked("the ranks' optimizers hold different parameters")
    pairs = _same_step(ours.snapshots, theirs.snapshots)
    parted = [found for pair in pairs if (found := _parted(ours.names, *pair)) is not None]
    if not parted or parted[-1].step != pairs[-1][0].step:
        return None
    begun = parted[0]
    why = _why(pairs, begun.step)
    ranks = one[0].number, other[0].number
    return Finding(
        summary=f"ranks {ranks[0]} and {ranks[1]} hold different models from step {begun.step} on: {why}",
        where=Where(place=ours.place, module=begun.names[0] or None, step=begun.step),
        evidence={
            "ranks": list(ranks), "parameters": list(begun.names[:NAMED]), "differing": len(begun.names),
            "of": len(ours.names), "relative_difference": begun.difference, "steps_compared": len(pairs),
            "steps_differing": len(parted), "kept_alike_by": ours.promise,
        },
        impact="gradients are averaged over models that are not the same",
        fix="do on every rank alike whatever changes the model, and begin from equal weights",
    )


def _same_step(ours: Sequence[Snapshot], theirs: Sequence[Snapshot]) -> list[tuple[Snapshot, Snapshot]]:
    by_step = {each.step: each for each in theirs}
    return [(each, by_step[each.step]) for each in ours if each.step in by_step]


def _parted(names: Sequence[str], ours: Snapshot, theirs: Snapshot) -> Parted | None:
    """What differs by more than rounding does."""
    apart: dict[int, float] = {}
    for at in range(min(len(ours.digests), len(theirs.digests))):
        if ours.digests[at] != theirs.digests[at]:
            distance = _distance(ours, theirs, at)
            if distance > APART:
                apart[at] = distance
    if not apart:
        return None
    return Parted(ours.step, tuple(names[at] for at in apart), max(apart.values()))


def _distance(ours: Snapshot, theirs: Snapshot, at: int) -> float:
    """How far two parameters lie apart, in units of their norm; infinite where only one is finite."""
    finite = [math.isfinite(each.norms[at]) for each in (ours, theirs)]
    if not all(finite):
        return math.inf if any(finite) else 0.0
    size = max(ours.norms[at], theirs.norms[at])
    return abs(ours.projections[at] - theirs.projections[at]) / size if size else 0.0


def _why(pairs: Sequence[tuple[Snapshot, Snapshot]], step: int) -> str:
    """What was unlike at the step that parted them."""
    before = [(ours, theirs) for ours, theirs in pairs if ours.step < step]
    if not before:
        return "they do not begin with equal weights"
    ours, theirs = before[-1]
    if ours.rates != theirs.rates:
        return "their learning rates differ"
    if ours.gradients != theirs.gradients:
        return "they step with different gradients"
    return "with equal gradients, they update differently"
