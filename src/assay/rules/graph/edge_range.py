"""Edges end at nodes that don't exist.

## Why it hurts
An index below zero counts from the end: an edge to -1, the mark of a missing or unmatched id, ends at the last node.
That node then collects the messages of all unmatched edges. PyTorch Geometric's layers raise; layers written by hand,
`h[source]` and `index_add_`, may not.

## What is looked at
The list of edges [2, E] that a module was given: ends below zero. One is enough.

## Remedy
Drop the edges whose ends have no node, before the model sees them.

## When it is wrong to worry
Lists that are padded with -1 and masked by the layer: drop the padding, or allow the rule on that line.

## References
PyTorch Geometric documentation, data.Data.validate.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import GraphFacts
from assay.rule import WARNING, Finding, Verdict, Where, rule


@rule(severity=WARNING)
def edge_range(graphs: GraphFacts) -> Iterator[Verdict]:
    """Look for ends below zero."""
    for each in graphs.graphs:
        if each.out_of_range:
            yield Finding(
                summary=f"{each.out_of_range} of {each.edges} edges have an end below zero, which is the last node",
                where=Where(place=each.place),
                evidence={"out_of_range": each.out_of_range, "edges": each.edges, "nodes": each.nodes},
                impact="the last node gets the messages of all edges whose end is unknown",
                fix="drop these edges: edges[:, (edges >= 0).all(0)]",
            )
            return
