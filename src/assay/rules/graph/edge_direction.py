"""An undirected graph is given in one direction only.

## Why it hurts
Each edge carries messages one way: half of the neighbours are never heard, and a node with a low number hears nobody.
Layers made for undirected graphs, such as GCNConv, still run; the score is merely worse.

## What is looked at
A graph in which no edge has its reverse and every edge leads from a lower to a higher node number: the upper triangle
of a symmetric matrix. Trees, chains and orders in time look alike, so the shape decides: in an upper triangle a node's
count of edges to higher nodes falls with its number, all the way to none, and its count from lower ones rises as much.
Both correlations must reach 0.5: random graphs of four edges a node and more lie above 0.6, while in trees, chains and
citations in order of time, where all nodes have about as many parents or references, one of the two lies near 0.
Numbers that were given at random would be in order by chance with probability 2 to the -E.

## Remedy
Add the reverses: `to_undirected(edge_index)`.

## When it is wrong to worry
Graphs without cycles whose nodes are numbered in order, and that are dense at the start: allow the rule on that line.

## References
PyTorch Geometric documentation, utils.to_undirected; Kipf and Welling, Semi-Supervised Classification with Graph
Convolutional Networks, 2017, which takes a symmetric adjacency matrix.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import GraphFacts
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

DECLINE = -0.5
FEWEST = 50
"""Edges from which the shape is judged: among fewer a correlation says little."""

FULL = 0.5
"""Share of all pairs above which it is no graph of relations but an order, such as who may attend to whom."""

TREE = 1.5
"""Edges a node, below which it may be a tree or a chain."""


@rule(severity=WARNING)
def edge_direction(graphs: GraphFacts) -> Iterator[Verdict]:
    """Look for upper triangles."""
    if graphs.varies:
        yield NotApplicable("the program batches or samples graphs")
        return
    for each in graphs.graphs:
        distinct = each.edges - each.loops - each.repeats - each.out_of_range
        enough = max(FEWEST, TREE * each.nodes) <= distinct <= FULL * each.nodes * (each.nodes - 1) / 2
        if enough and each.one_way == distinct == each.ascending and each.decline <= DECLINE:
            yield Finding(
                summary=f"all {distinct} edges lead from a lower to a higher node and none has its reverse: "
                        "an undirected graph in one direction",
                where=Where(place=each.place),
                evidence={"edges": distinct, "with_reverse": 0, "ascending": each.ascending,
                          "correlation_of_number_and_edges": round(each.decline, 3)},
                impact="half of each node's neighbours send it no messages",
                fix="add the reverses: to_undirected(edge_index)",
            )
            return
