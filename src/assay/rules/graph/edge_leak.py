"""Edges that are to be predicted are among those that messages pass over.

## Why it hurts
The encoder has seen the answer: two nodes that exchange messages get similar embeddings, and their edge scores high.
The evaluated edges' scores lie far above what unseen edges would get. A common way to it: an undirected graph lists
each edge in both directions and is split line by line, so that the reverses of most held-out
edges stay among the messages.

## What is looked at
Pairs of nodes that were scored apart from training, `z[first]` and `z[second]`, against the edges of the pass that made
z. Pairs that were trained on in the same direction are a training score and are left out. Of the others, edges of the
messages count, and so do their reverses where the messages hold both directions of nearly every edge (nine tenths):
in a directed graph an answered edge is no leak. A tenth of the pairs is the limit: sampled negatives that happen to be
edges stay below it, while a leak has nearly all evaluated positives, half of the pairs beside as many negatives.

## Remedy
Split an undirected graph by its edges taken once (source < target) and add the reverses afterwards; build the messages
from training edges alone (RandomLinkSplit with is_undirected=True does both).

## When it is wrong to worry
Classifying edges that are all known is no link prediction: where hardly any trained pair is a stranger to the messages
the rule doesn't apply. Messages that repeat pairs (contacts over time) may rightly meet them again, and training edges
that come in batches can't be told from leaked ones: these are notes.

## References
PyTorch Geometric documentation, transforms.RandomLinkSplit. Zhu et al., Pitfalls in Link Prediction with Graph Neural
Networks, 2023.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import EvaluatedPairs, LinkFacts
from assay.rule import ERROR, NOTE, Finding, NotApplicable, Verdict, Where, rule

LEAKED = 0.1
FEWEST = 10
"""Leaked pairs from which it counts: a few may be sampled negatives that are edges."""

STRANGERS = 0.1
"""Share of trained pairs that are no messages, from which it is link prediction: negatives are as many as positives."""

OFTEN = 0.05
"""Share of messages that stand three times or more, from which pairs recur by nature: adding reverses only doubles."""


@rule(severity=ERROR)
def edge_leak(links: LinkFacts) -> Iterator[Verdict]:
    """Look for evaluated pairs among the messages."""
    if links.strangers < STRANGERS:
        yield NotApplicable("all scored pairs are known edges: no links are predicted")
        return
    leaks = [each for each in links.evaluated if _leaked(each) >= max(FEWEST, LEAKED * (each.pairs - each.trained))]
    if leaks:
        yield _finding(max(leaks, key=lambda each: (each.settled, _leaked(each))))


def _leaked(pairs: EvaluatedPairs) -> int:
    return pairs.among + (pairs.reverse if pairs.symmetric else 0)


def _finding(worst: EvaluatedPairs) -> Finding:
    sure = worst.settled and worst.often < OFTEN
    leaked, others = _leaked(worst), worst.pairs - worst.trained
    return Finding(
        summary=f"{leaked} of {others} evaluated pairs are edges that messages pass over, or their reverses",
        where=Where(place=worst.place), severity=ERROR if sure else NOTE,
        evidence={"evaluated": others, "among_messages": worst.among, "reverse_among_messages": worst.reverse,
                  "trained_on": worst.trained},
        impact="the encoder has seen the edges that it is to predict",
        fix="take each edge once, split, and pass messages over the training edges and their reverses alone",
    )
