"""Nodes without a label enter a supervised loss.

## Why it hurts
A label of -1 stands for "unknown". In a loss written by hand, `scores[rows, labels]`, an index of -1 takes the last
column: every unlabelled node is trained to be of the last class. Nothing raises, the loss falls, and the model predicts
the last class too often.

## What is looked at
Scores [n, classes] that are indexed by rows and whole numbers, of which some lie below zero, and the gradient that
comes back to each of them: it must be other than zero for an unlabelled one. One is enough, since no class has a
number below zero.

## Remedy
Leave these nodes out of the loss (`mask & (labels >= 0)`), or use `cross_entropy` with `ignore_index=-1`.

## When it is wrong to worry
Losses that multiply the unlabelled by zero, or choose the labelled ones afterwards, give them no gradient and are
silent.

## References
NumPy and PyTorch documentation on negative indices; torch.nn.functional.cross_entropy, ignore_index.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import NodeLabelFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def unlabeled_in_loss(labels: NodeLabelFacts) -> Iterator[Verdict]:
    """Look at the gradient of scores that were taken at labels below zero."""
    if not labels.picks:
        yield NotApplicable("no loss takes scores at the labels by itself")
    found = labels.unlabelled
    if found is not None:
        yield Finding(
            summary=f"{found.unlabelled} of {found.picked} nodes in the loss have no label (below zero): "
                    "they are trained to be of the last classes",
            where=Where(place=found.place, step=found.step),
            evidence={"in_the_loss": found.picked, "unlabelled": found.unlabelled},
            impact="an index of -1 takes the last class",
            fix="leave them out: choose the nodes by mask & (labels >= 0)",
        )
