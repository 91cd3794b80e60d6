"""The graphs of earlier steps are kept alive.

## Why it hurts
A loss tensor carries the graph that made it. Adding up `total += loss`, or appending it to a list, keeps the graph of
every step until the end, so memory grows without need. A hidden state that is carried from batch to batch without
`detach()` is worse: each backward pass goes through all steps before it, so steps get slower and slower, and gradients
are taken through weights that have changed since.

## What is looked at
A mark on the graph of each sampled step, held weakly: at the last look, after sixteen steps or more, all of the marks
of five earlier steps or more are still there. And the number of the graph's nodes: it grows from each sampled step to
the next, by one and the same number a step.

## Remedy
Add up numbers: `total += loss.item()`, or `loss.detach()`. Carry `hidden.detach()` to the next batch.

## When it is wrong to worry
Truncated backpropagation and meta-learning keep graphs for a few steps and let go; the mean of a few losses kept for a
moment is nothing. Both stay silent, since some of the earlier graphs are gone.

## References
PyTorch documentation, Frequently Asked Questions: "Don't accumulate history across your training loop".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from assay.facts.graphs import GraphGrowth
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

LATE = 16
"""Steps: within fewer, a graph that is still held may be meant, as in truncated backpropagation."""

EARLIER = 5
"""Sampled steps whose graphs must all be alive."""


@rule(severity=WARNING)
def graph_retained(growth: GraphGrowth) -> Iterator[Verdict]:
    """See whether earlier graphs are still there, and whether each is larger than the one before."""
    last = growth.sizes[-1][0]
    if last < LATE or growth.of < EARLIER:
        yield NotChecked(f"only {last + 1} steps were seen; {LATE} are needed")
    elif _grows(growth.sizes):
        yield Finding(
            summary=f"each backward pass goes through all steps before it: its graph grew from {growth.sizes[0][1]} "
                    f"to {growth.sizes[-1][1]} operations",
            where=Where(place=growth.place, step=last),
            evidence={"operations_by_step": dict(growth.sizes)},
            impact="steps get slower with every step, and memory grows",
            fix="carry the state to the next batch with .detach()",
        )
    elif growth.alive == growth.of:
        yield Finding(
            summary=f"the graphs of all {growth.of} earlier steps that were looked at are still alive at step {last}",
            where=Where(place=growth.kept_at or growth.place, step=last),
            evidence={"alive": growth.alive, "looked_at": growth.of},
            impact="memory grows with every step",
            fix="add up numbers, loss.item() or loss.detach(), and not the loss itself",
        )


def _grows(sizes: tuple[tuple[int, int], ...]) -> bool:
    """Whether the graph gains one and the same number of nodes a step."""
    rates = {
        (nodes - before) / (step - earlier)
        for (earlier, before), (step, nodes) in pairwise(sizes[1:])  # the first step has no state yet
    }
    return len(rates) == 1 and rates.pop() >= 1
