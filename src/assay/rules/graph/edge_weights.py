"""Edge weights are missing, negative or absurd where a layer takes them as strengths.

## Why it hurts
One NaN among the weights makes its node NaN, and its neighbours a layer later. GCNConv divides by the square root of
the sum of a node's weights: a negative sum has none, and the layer silently drops the node's messages or yields NaN. A
weight of a million lets one edge drown all others.

## What is looked at
The weights that a layer is given beside its edges. NaN or infinite: an error. Negative ones in a layer that divides by
their sums: a warning. All zero: a warning, since no message passes. A largest weight of ten thousand times the
smallest positive one or more is a note: raw counts or distances span that, strengths rarely do.

## Remedy
Fill missing weights (1 is neutral), turn distances and correlations into strengths of one sign, scale them.

## When it is wrong to worry
Signed graphs have negative weights by nature; layers that don't normalise take them, and are silent.

## References
PyTorch Geometric documentation, nn.conv.GCNConv and nn.conv.gcn_conv.gcn_norm.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import EdgeWeights, GraphFacts, GraphRecord
from assay.rule import ERROR, NOTE, WARNING, Finding, NotApplicable, Severity, Verdict, Where, rule

SPAN = 1e4


@rule(severity=ERROR)
def edge_weights(graphs: GraphFacts) -> Iterator[Verdict]:
    """Look at the weights of every graph."""
    weighted = [(each, each.weights) for each in graphs.graphs if each.weights is not None]
    if not weighted:
        yield NotApplicable("no layer was given edge weights")
    for graph, weights in weighted:
        told = _judged(weights)
        if told is not None:
            yield _finding(graph, weights, *told)
            return


def _judged(weights: EdgeWeights) -> tuple[Severity, str] | None:
    if weights.not_finite:
        return ERROR, f"{weights.not_finite} of {weights.count} edge weights are NaN or infinite"
    if weights.negative and weights.normalised:
        what = "in a layer that divides by the square root of their sums"
        return WARNING, f"{weights.negative} of {weights.count} edge weights are negative, {what}"
    if weights.zero == weights.count:
        return WARNING, f"all {weights.count} edge weights are zero: no message passes"
    if weights.lowest > 0 and weights.highest >= SPAN * weights.lowest:
        return NOTE, f"edge weights span {weights.lowest:.3g} to {weights.highest:.3g}: few edges drown the others"
    return None


def _finding(graph: GraphRecord, weights: EdgeWeights, severity: Severity, summary: str) -> Finding:
    return Finding(
        summary=summary, where=Where(place=graph.place), severity=severity,
        evidence={"weights": weights.count, "lowest": weights.lowest, "highest": weights.highest,
                  "negative": weights.negative, "not_finite": weights.not_finite, "zero": weights.zero},
        fix="fill missing weights, make them strengths of one sign, and scale them",
    )
