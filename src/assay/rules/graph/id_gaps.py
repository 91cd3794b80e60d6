"""Edges number the nodes otherwise than the table of features does.

## Why it hurts
Edges that count from 1, or that hold the raw ids of a file, join other nodes than they mean to: every node gets its
neighbour's neighbours. The features still carry the model some way, so it trains, to a score that looks only mediocre.

## What is looked at
The trace that such a shift leaves in a full graph: the last rows of the features are all zero, rows that were added so
that the highest id finds a place, and yet edges lead to them, while first rows have features and no edge. It counts
where the block of edgeless rows from row 0 on is just as long as the added block at the end (numbers shifted), or where
at least half of the filled rows have no edge (raw ids: by far most numbers are then missing). Zero rows elsewhere, as
in bags of words, make it silent.

## Remedy
Map ids to rows: `edges - edges.min()` for a shift, a dictionary or `searchsorted` over the table's ids for raw ones.

## When it is wrong to worry
Rows of padding without edges, nodes that are appended with edges but beside a connected row 0, and isolated nodes
anywhere else are silent.

## References
PyTorch Geometric documentation, creating graph datasets: node indices range from 0 to the number of nodes less one.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import GraphFacts, GraphRecord
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule

RAW = 0.5
"""Share of filled rows without an edge from which ids are raw. A sparse graph's own isolated nodes are far fewer."""


@rule(severity=ERROR)
def id_gaps(graphs: GraphFacts) -> Iterator[Verdict]:
    """Look for filled rows without edges at the start, and empty ones with edges at the end."""
    if graphs.varies:
        yield NotApplicable("the program batches or samples graphs, which renumbers nodes")
        return
    for each in graphs.graphs:
        filled = each.nodes - each.blank_tail
        if not each.linked_tail or each.blank_elsewhere or not each.lone_head or not filled:
            continue
        shifted = each.lone_head == each.blank_tail == each.linked_tail and each.lowest == each.lone_head
        if shifted or each.lone_before >= RAW * filled:
            yield _finding(each, filled, shifted)
            return


def _finding(graph: GraphRecord, filled: int, shifted: bool) -> Finding:
    return Finding(
        summary=f"edges number the nodes otherwise than the features do: {graph.linked_tail} nodes with edges have no "
                f"features, {graph.lone_before} with features have no edge",
        where=Where(place=graph.place),
        evidence={"nodes": graph.nodes, "filled_rows": filled, "lowest_in_edges": graph.lowest,
                  "edges_to_empty_rows": graph.linked_tail, "filled_without_edges": graph.lone_before},
        impact="messages pass between other nodes than the edges mean",
        fix=f"subtract {graph.lowest} from the edges" if shifted else "map each id to its row in the table",
    )
