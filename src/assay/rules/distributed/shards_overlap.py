"""The ranks see the same examples, or the same order in every epoch.

## Why it hurts
Ranks that are given equal batches compute the same gradient several times over: two devices do the work of one, the
batch is smaller than the recipe says, and the rate no longer fits. A DistributedSampler whose epoch is never set deals
out the same order and the same parts in each epoch, so that a batch always holds the same examples.

## What is looked at
The inputs of the first training passes, as a digest of the rows in any order: three different batches at least, and
every one of them equal on all ranks that were seen, while the model is one that the ranks train together. One batch
that is always the same (all data at once, a batch to overfit) says nothing. Of each DistributedSampler that shuffles,
the epoch that was set when each iteration began in which steps were taken: two iterations or more, all with one.

## Remedy
Give the loader a DistributedSampler, or take every world-th example from the rank on; call
`sampler.set_epoch(epoch)` before each epoch.

## When it is wrong to worry
Samplers that don't shuffle or only serve evaluation, a new sampler each epoch, and ranks that draw independently from
all data, each with a seed of its own, are fine.

## References
PyTorch documentation, DistributedSampler: the warning on set_epoch.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.distributed import RankShards, ReplicaFacts, ShardFacts, ShardSampler
from assay.rule import WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

BATCHES = 3
EPOCHS = 2


@rule(severity=WARNING)
def shards_overlap(shards: ShardFacts, replicas: ReplicaFacts) -> Iterator[Verdict]:
    """Compare batches across ranks, and epochs across iterations."""
    together = any(record.parameters for record in replicas.ranks)
    samplers = [each for each in (shards.ranks[0].samplers if shards.ranks else ()) if each.replicas > 1]
    if not together and not samplers:
        yield NotApplicable("the ranks share neither a model nor a DistributedSampler")
        return
    for each in samplers:
        if _stands_still(each):
            yield _same_order(each)
    if together and len(shards.ranks) < 2:
        yield NotChecked(f"one of {shards.world} ranks was seen, and it takes two to compare")
    elif together and _equal(shards.ranks):
        yield _same_batches(shards.ranks)


def _stands_still(sampler: ShardSampler) -> bool:
    epochs = [epoch for epoch, trained in zip(sampler.epochs, sampler.trained, strict=True) if trained]
    return sampler.shuffle and len(epochs) >= EPOCHS and len(set(epochs)) == 1


def _same_order(sampler: ShardSampler) -> Finding:
    return Finding(
        summary="the sampler's epoch is never set: every epoch deals out the same order",
        where=Where(place=sampler.place),
        evidence={"epochs_set": list(sampler.epochs), "trained": list(sampler.trained), "rows": sampler.rows},
        fix="call set_epoch(epoch) on the sampler before each epoch",
    )


def _equal(ranks: tuple[RankShards, ...]) -> bool:
    compared = list(zip(*(record.batches for record in ranks), strict=False))
    alike = all(len({(each.digest, each.rows) for each in same}) == 1 for same in compared)
    return alike and len({same[0].digest for same in compared}) >= BATCHES


def _same_batches(ranks: tuple[RankShards, ...]) -> Finding:
    first = ranks[0]
    return Finding(
        summary=f"{len(ranks)} ranks are given the same batches",
        where=Where(place=first.place),
        evidence={
            "ranks": [record.number for record in ranks], "batches_compared": min(len(each.batches) for each in ranks),
            "rows": [batch.rows for batch in first.batches],
        },
        impact="every rank computes the same gradient: the others' work is lost",
        fix="give each rank its own part: a DistributedSampler for the loader, or every world-th example from its rank",
    )
