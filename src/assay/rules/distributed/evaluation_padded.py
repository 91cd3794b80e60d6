"""The evaluation counts some examples twice.

## Why it hurts
A DistributedSampler gives every rank the same number of examples; where they don't divide, it repeats some. A score
that is summed over the ranks then counts these twice, differs from the one on a single device, and changes with the
number of devices.

## What is looked at
Each DistributedSampler of two ranks or more that repeats examples in an iteration without steps, and the sums over all
ranks that follow it. A sum equal to the padded number of examples is a count that holds the repeated ones: a warning.
Where no count was seen, a note: gathered predictions may have been cut to length, which can't be seen.

## Remedy
Gather the predictions and cut them to the length of the data set, leave the repeated ones out of the sums, or evaluate
on one rank.

## When it is wrong to worry
Where scores are only watched while training, one example more or less doesn't matter. A sum equal to the true number
of examples shows that the repeated ones are left out.

## References
PyTorch documentation, DistributedSampler, on drop_last. PyTorch's ImageNet example evaluates the remainder apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.distributed import ShardFacts, ShardSampler
from assay.rule import NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=WARNING)
def evaluation_padded(shards: ShardFacts) -> Iterator[Verdict]:
    """Look at each sampler that evaluates."""
    samplers = [each for record in shards.ranks[:1] for each in record.samplers]
    evaluating = [each for each in samplers if each.replicas > 1 and not all(each.trained)]
    if not evaluating:
        yield NotApplicable("no evaluation is dealt out by a DistributedSampler")
    for each in evaluating:
        told = each.counted is not None or each.exact is None
        if each.total > each.rows and told and not any(each.trained):
            yield _padded(each)


def _padded(sampler: ShardSampler) -> Finding:
    more = sampler.total - sampler.rows
    counted = sampler.counted is not None
    many = "1 example" if more == 1 else f"{more} examples"
    return Finding(
        severity=WARNING if counted else NOTE,
        summary=f"the evaluation {'counts' if counted else 'is given'} {many} twice",
        where=Where(place=sampler.counted or sampler.place),
        evidence={"rows": sampler.rows, "dealt_out": sampler.total, "replicas": sampler.replicas, "counted": counted},
        impact=f"a score may move by {more / sampler.total:.2%}",
        fix="cut what is gathered to the length of the data set, or leave the repeated examples out of the sums",
    )
