"""Node features hold the labels of the nodes that are evaluated.

## Why it hurts
The model reads the answer. Its scores are near perfect and worth nothing: nodes whose labels are unknown have no such
column.

## What is looked at
Features and labels of the labelled nodes that weren't trained on: a column that equals the label on all of them, or for
every class a column that is positive for its nodes alone. At least twenty nodes, so that chance is out of the question:
a random column agrees on all with probability 2 to the -20.

## Remedy
Drop these columns, or fill them for training nodes alone and leave the others zero.

## When it is wrong to worry
Labels of training nodes as features (label reuse, label propagation) leave the evaluated nodes' entries empty and are
silent. So is a feature that merely goes along with the label.

## References
Shi et al., Masked Label Prediction (UniMP), 2021. Kaufman et al., Leakage in Data Mining, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graph import NodeLabelFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

FEWEST = 20


@rule(severity=ERROR)
def label_in_features(labels: NodeLabelFacts) -> Iterator[Verdict]:
    """Look for columns that tell the label."""
    if not labels.compared:
        yield NotChecked("labels and features of the same nodes were not seen together")
    found = labels.copy
    if found is not None and found.nodes >= FEWEST:
        listed = ", ".join(map(str, found.columns[:8]))
        yield Finding(
            summary=f"feature column {listed} tells the label of all {found.nodes} nodes outside the training part",
            where=Where(place=found.place),
            evidence={"columns": list(found.columns), "classes": found.classes, "nodes": found.nodes},
            impact="the model reads the answer; nodes without a known label have no such column",
            fix="leave these columns out, or zero them for all nodes but the training ones",
        )
