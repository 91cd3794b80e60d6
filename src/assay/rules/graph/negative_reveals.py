"""Training negatives avoid the held-out edges, and so reveal them.

## Why it hurts
Negatives that are drawn with all edges at hand never hit a validation or test edge. The model is pushed away from every
pair but the known and the held-out ones: what it is never pushed away from, it may take for an edge. The scores of the
held-out edges rise a little, the more the denser the graph.

## What is looked at
The edges that `negative_sampling` is given while training, against those that messages pass over. Where a twentieth or
more of them are neither these nor their reverses, they were held out. A twentieth is below any common validation share.

## Remedy
Give the sampling the training edges alone.

## When it is wrong to worry
In a large sparse graph hardly a random pair is an edge, and the difference is nil; much published code does this on
purpose, so that no negative is false. It is therefore a note.

## References
PyTorch Geometric documentation, utils.negative_sampling and transforms.RandomLinkSplit.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import LinkFacts, SamplingFacts
from assay.rule import NOTE, Finding, Verdict, Where, rule

SHARE = 0.05


@rule(severity=NOTE)
def negative_reveals(samples: SamplingFacts, links: LinkFacts) -> Iterator[Verdict]:
    """Look for held-out edges among those that negatives avoid."""
    for each in samples.calls if links.evaluated else ():
        if each.held_out >= SHARE * each.edges:
            yield Finding(
                summary=f"training negatives avoid {each.held_out} edges that messages don't pass over: held-out ones",
                where=Where(place=each.place), evidence={"avoided": each.edges, "held_out": each.held_out},
                fix="give negative_sampling the training edges alone while training",
            )
            return
