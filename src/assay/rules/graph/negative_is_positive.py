"""Pairs that the model learns as no edges are edges.

## Why it hurts
The same pair is pulled together as an edge and pushed apart as none. The loss has a floor that it can't fall below, and
in a dense or small graph, where random pairs often are edges, the scores of true edges suffer most.

## What is looked at
Where positives and negatives are scored apart: sets of trained pairs of which less than half are edges of the messages,
beside a set of which nine tenths are. The share of edges in them, forwards or back. A twentieth is the limit: sampled
without a check, the share is the graph's density, which in graphs of some size lies far below it; a check brings it to
zero. From a fiftieth on it is a note.

## Remedy
Draw negatives with a check against the known edges: `negative_sampling(edge_index, ...)`, given the edges both ways.

## When it is wrong to worry
Edges of another relation or of another time that are asked apart: allow the rule on that line.

## References
PyTorch Geometric documentation, utils.negative_sampling. Yang et al., Understanding Negative Sampling in Graph
Representation Learning, 2020.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import LinkFacts
from assay.rule import NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

SHARE = 0.05
WORTH_A_NOTE = 0.02
FEWEST = 100
"""Negatives from which a share is told: of fewer, a twentieth is a handful."""


@rule(severity=WARNING)
def negative_is_positive(links: LinkFacts) -> Iterator[Verdict]:
    """Count the edges among all negatives that were looked at."""
    if not links.negatives:
        yield NotApplicable("no negatives are scored apart from positives in training")
        return
    pairs = sum(each.pairs for each in links.negatives)
    edges = sum(each.edges for each in links.negatives)
    if pairs >= FEWEST and edges >= WORTH_A_NOTE * pairs:
        yield Finding(
            summary=f"{edges / pairs:.1%} of the pairs that are learnt as no edges are edges",
            where=Where(place=links.negatives[0].place), severity=WARNING if edges >= SHARE * pairs else NOTE,
            evidence={"negatives": pairs, "edges_among_them": edges},
            impact="the same pairs are pulled together and pushed apart",
            fix="draw negatives with a check against the known edges, both ways",
        )
