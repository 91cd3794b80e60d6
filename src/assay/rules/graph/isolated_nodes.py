"""A fifth or more of the nodes have no edge.

## Why it hurts
A node without edges gets no messages: the graph layers treat it as a row of a table, only worse. Where many are alone,
either edges were lost on the way (a join by ids that don't match, a file read in part, one relation of several), or a
graph is the wrong form for these data.

## What is looked at
Nodes that no edge joins to another, loops left out, in the fullest graph that a program shows over the same number of
nodes, so that dropped edges don't count. A fifth is our catalogue's limit; common benchmark graphs lie below 2 %.

## Remedy
Check how edges were matched to nodes; leave nodes without edges to a model of their features alone.

## When it is wrong to worry
Where pairs of nodes are scored, edges are held back on purpose, and it is a note. Batches of graphs and sampled
neighbourhoods are not looked at.

## References
Hu et al., Open Graph Benchmark, 2020. PyTorch Geometric documentation, Data.has_isolated_nodes.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import GraphFacts, LinkFacts
from assay.rule import NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

SHARE = 0.2
FEWEST = 20
"""Nodes from which shares are told: a fifth of fewer is a handful."""


@rule(severity=WARNING, implied_by=("id-gaps", "edge-range"))
def isolated_nodes(graphs: GraphFacts, links: LinkFacts | None) -> Iterator[Verdict]:
    """Count the nodes without edges."""
    if graphs.varies:
        yield NotApplicable("the program batches or samples graphs")
        return
    fullest = {each.nodes: each for each in sorted(graphs.graphs, key=lambda graph: -graph.isolated)}
    for each in fullest.values():
        if each.nodes >= FEWEST and each.isolated >= SHARE * each.nodes:
            yield Finding(
                summary=f"{each.isolated} of {each.nodes} nodes have no edge",
                where=Where(place=each.place), severity=NOTE if links is not None else WARNING,
                evidence={"isolated": each.isolated, "nodes": each.nodes, "edges": each.edges},
                fix="check that edges and nodes were matched by the same ids, and that no edges were lost",
            )
