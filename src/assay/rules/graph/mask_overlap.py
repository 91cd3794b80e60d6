"""Nodes that are evaluated were trained on.

## Why it hurts
The model has seen the labels of these nodes. Their accuracy is that of memory: the score of the validation or test
part lies above what new nodes would get, the more so the more of them are training nodes, and nothing in the curves
shows it.

## What is looked at
Two things. First, the masks of a Data object (train_mask, val_mask, test_mask: PyTorch Geometric's own names): two of
them that share nodes, where the loss doesn't leave the shared ones out. Second, the rows of the output that a backward
pass came past, against the rows that were read apart from it. A read-out of training nodes alone is a training score
and stays silent. One that mixes training nodes with others counts where the program calls its index a test or
validation part, or where it is a list of nodes in drawn order, as slices of one permutation are: such a list is a
split, while masks and ordered lists may be a property of the nodes (one class, high degree) whose score may mix both.
No threshold: a split shares no node.

## Remedy
Make the parts disjoint, and evaluate each on its own nodes: slices of one permutation that don't overlap.

## When it is wrong to worry
A model that is trained again on training and validation nodes together, once the choices are made, is silent where it
was evaluated apart before. Validation and test masks that are the same get a note: it is the choice of the model that
they make too good.

## References
PyTorch Geometric documentation, data.Data and transforms.RandomNodeSplit. Shchur et al., Pitfalls of Graph Neural
Network Evaluation, 2018.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.facts.graph import EvaluatedNodes, MaskFacts, Masks, NodeFacts, NodeSet
from assay.rule import ERROR, NOTE, Finding, NotApplicable, Verdict, Where, rule

HELD_OUT = frozenset({"test", "testing", "val", "valid", "validation", "dev", "heldout", "holdout"})
"""Words in the name of an index by which the program itself says that these nodes are not for training."""


@rule(severity=ERROR)
def mask_overlap(masks: MaskFacts | None, nodes: NodeFacts | None) -> Iterator[Verdict]:
    """Compare the masks with each other, and what was evaluated with what was trained on."""
    if masks is None and nodes is None:
        yield NotApplicable("no graph's nodes are split")
    found = 0
    for each in masks.masks if masks else ():
        for finding in _between_masks(each, nodes):
            found += 1
            yield finding
    if nodes is not None and not found:
        yield from _evaluated(nodes)


def _between_masks(masks: Masks, nodes: NodeFacts | None) -> Iterator[Finding]:
    """The first two that share nodes."""
    train = _learnt(masks.train, nodes)
    for first, second in ((train, masks.test), (train, masks.validation), (masks.validation, masks.test)):
        if first is None or second is None or not first.bits & second.bits:
            continue
        same = first is masks.validation and first.bits == second.bits
        yield _finding(first, second, NOTE if same else ERROR, trained=first is train)
        return


def _learnt(mask: NodeSet | None, nodes: NodeFacts | None) -> NodeSet | None:
    """The nodes of the training mask, without those that the loss was seen to leave out."""
    trained = nodes.trained if nodes is not None else ()
    if mask is None or len(trained) != 1 or trained[0].of != mask.of:
        return mask
    left = mask.bits & trained[0].bits
    return NodeSet(bits=left, of=mask.of, name=mask.name, place=mask.place)


def _evaluated(nodes: NodeFacts) -> Iterator[Finding]:
    apart = {each.chosen.bits for each in nodes.evaluated if not each.chosen.bits & each.trained.bits}
    seen: set[object] = set()
    for each in nodes.evaluated:
        if each.chosen.bits in apart or each.chosen.place in seen or not _is_shared(each):
            continue
        seen.add(each.chosen.place)
        yield _finding(each.trained, each.chosen, ERROR, trained=True)


def _is_shared(each: EvaluatedNodes) -> bool:
    chosen, trained = each.chosen, each.trained
    if not chosen.bits & trained.bits:
        return False
    words = set(re.split(r"[^a-z]+", chosen.name.lower()))
    if words & HELD_OUT and not any("train" in word for word in words):
        return True
    mixed = chosen.bits & ~trained.bits and trained.bits & ~chosen.bits
    return bool(mixed and each.settled and each.outputs and chosen.drawn and trained.drawn)


def _finding(first: NodeSet, second: NodeSet, severity: object, *, trained: bool) -> Finding:
    shared = (first.bits & second.bits).bit_count()
    name, other = second.name or "the evaluated nodes", first.name or "the loss"
    summary = (
        f"{shared} of the {second.count} nodes in {name} are trained on" if trained
        else f"{shared} of the {second.count} nodes in {name} are in {other} too"
    )
    return Finding(
        summary=summary, where=Where(place=second.place), severity=NOTE if severity is NOTE else ERROR,
        evidence={"evaluated": second.count, "compared_with": first.count, "shared": shared, "nodes": first.of},
        impact="the score of these nodes is in part one of memory" if trained else "the test part has chosen the model",
        fix=f"leave out of {name} the nodes that are in {other}",
    )
