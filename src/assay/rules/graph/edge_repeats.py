"""Many edges stand in the list twice, or lead from a node to itself.

## Why it hurts
A repeated edge counts twice in every sum and mean over neighbours. Often it is a slip: both directions were added to a
list that had them already, or two files were joined that overlap. Self-loops that a layer adds anyway count double too.

## What is looked at
Distinct edges against all, and loops among them, in graphs that aren't batched or sampled. A fifth is worth a note.

## Remedy
`coalesce(edge_index)`; `remove_self_loops(edge_index)`.

## When it is wrong to worry
Repeats may be strengths (several contacts), and loops may be meant. It is a note.

## References
PyTorch Geometric documentation, utils.coalesce, utils.contains_self_loops.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import GraphFacts
from assay.rule import NOTE, Finding, NotApplicable, Verdict, Where, rule

SHARE = 0.2
FEWEST = 20
"""Edges from which a share is told."""


@rule(severity=NOTE)
def edge_repeats(graphs: GraphFacts) -> Iterator[Verdict]:
    """Count repeats, and loops beyond one a node."""
    if graphs.varies:
        yield NotApplicable("the program batches or samples graphs")
        return
    for each in graphs.graphs:
        # one loop a node is a common way to let a node hear itself
        odd = each.repeats + (each.loops if each.loops > each.nodes else 0)
        if each.edges >= FEWEST and odd >= SHARE * each.edges:
            yield Finding(
                summary=f"{each.repeats} of {each.edges} edges are repeats, {each.loops} lead to their own node",
                where=Where(place=each.place),
                evidence={"edges": each.edges, "repeats": each.repeats, "loops": each.loops},
                fix="coalesce the edges, and drop loops that the layer adds by itself",
            )
            return
