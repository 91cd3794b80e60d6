"""Batch norm takes its statistics from next to nothing.

## Why it hurts
Of two values, batch norm makes -1 and 1, whatever they were: only their order gets through. With such noise in
training, the running statistics of evaluation describe another network.

## What is looked at
Calls of batch norms in training mode at sampled steps: how many values each channel's statistics are taken from (rows
times positions). Two or fewer, in at least half of three calls or more: a last batch may be small, most aren't.

## Remedy
Larger batches, or a norm that doesn't look across the batch: LayerNorm, GroupNorm, InstanceNorm.

## When it is wrong to worry
One image at a time has many positions and isn't meant here.

## References
Wu and He, "Group normalization", 2018, section 1: the error of batch norm rises as batches shrink.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.norms import NormFacts
from assay.rule import WARNING, Finding, Verdict, Where, rule

CALLS = 3


@rule(severity=WARNING)
def norm_batch_one(norms: NormFacts) -> Iterator[Verdict]:
    """Every batch norm that mostly sees too few values."""
    for each in norms.norms:
        if each.calls >= CALLS and 2 * each.few >= each.calls:
            yield Finding(
                summary=f"batch norm {each.name} of {each.model} takes its statistics from two values or fewer",
                where=Where(place=each.place, module=each.name),
                evidence={"calls_seen": each.calls, "with_two_values_or_fewer": each.few, "most_values": each.values},
                impact="only the order of two values gets through",
                fix="use larger batches, or a norm that doesn't look across the batch",
            )
