"""A mask selects no node, or isn't boolean and selects the wrong ones.

## Why it hurts
The mean over no node is NaN: so are the loss and soon the weights, or the accuracy that is printed. A mask of zeros and
ones as whole numbers is no mask to PyTorch but a list of row numbers: it takes rows 0 and 1, as often as there are
nodes, and the model is trained or judged on two nodes.

## What is looked at
The masks of Data objects, and every index that chose rows of a tensor with one row a node. Whole numbers count as a
mistaken mask where there is one for every node and all are 0 or 1, both present: no list of nodes looks like that,
since it would name two nodes over and over.

## Remedy
Fill the mask before it is used; make it boolean (`mask.bool()`).

## When it is wrong to worry
An index over the classes of two nodes' worth of rows in graphs of two nodes, which are left out. A part that is empty
on purpose needs no mask. A mask of a Data object that the program never uses gets a note.

## References
PyTorch documentation, tensor indexing; PyTorch Geometric documentation, data.Data.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import MaskFacts, NodeFacts, NodeSet
from assay.rule import ERROR, NOTE, Finding, NotApplicable, Severity, Verdict, Where, rule


@rule(severity=ERROR)
def mask_empty(masks: MaskFacts | None, nodes: NodeFacts | None) -> Iterator[Verdict]:
    """Look for choices of no node and for masks of numbers."""
    if masks is None and nodes is None:
        yield NotApplicable("no graph's nodes are split")
        return
    for each in nodes.numbers if nodes else ():
        yield Finding(
            summary=f"{each.name or 'the index'} holds zeros and ones as numbers: it chooses rows 0 and 1, not a part",
            where=Where(place=each.place), evidence={"values": each.of, "ones": each.count},
            impact="only two nodes count, over and over", fix="make the mask boolean: mask.bool()",
        )
    used = nodes.empty if nodes else ()
    for each in used:
        yield _empty(each, ERROR)
    parts = [part for each in (masks.masks if masks else ()) for part in (each.train, each.validation, each.test)]
    for part in dict.fromkeys(parts):
        if part is not None and not part.bits and not used:
            yield _empty(part, NOTE)


def _empty(nodes: NodeSet, severity: Severity) -> Finding:
    return Finding(
        summary=f"{nodes.name or 'the index'} selects none of the {nodes.of} nodes", severity=severity,
        where=Where(place=nodes.place), evidence={"selected": 0, "nodes": nodes.of},
        impact="a mean over no node is NaN", fix="fill the mask, or leave this part out",
    )
