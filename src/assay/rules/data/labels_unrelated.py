"""The inputs say nothing about the labels: permuted labels are predicted as well.

## Why it hurts
A network can learn nothing here but the shares of the classes, or the mean, and what it memorises. It looks like a bad
rate or a small model, and weeks go into tuning. The usual cause is a join or a shuffle that tore labels from their
inputs.

## What is looked at
Training and validation rows (at most 20,000, drawn by a seed): the correlation of the labels with held-out predictions
of a linear probe on widened inputs, against twenty twins with permuted labels; with each column by itself; and with
boosted trees. It is a warning where none of them lies 2.5 standard deviations above chance (allowing for the choice
among the columns), which noise does in one case of 160 for each. A relation that tells a twentieth of the labels'
variance is seen from some 500 rows on; with fewer than 100 rows nothing is checked.

## Remedy
Look at how inputs and labels were joined: sort orders, indices, shuffles of one of the two.

## When it is wrong to worry
Studies of pure noise; relations that no shallow model sees, such as a parity over many columns.

## References
Ojala and Garriga, "Permutation tests for studying classifier performance", JMLR 11, 2010.
Zhang et al., "Understanding deep learning requires rethinking generalization", ICLR 2017, on labels at random.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.label_quality import RelationFacts
from assay.rule import WARNING, Finding, Verdict, rule

RELATED = 2.5  # standard deviations above chance


@rule(severity=WARNING, implied_by=("label-shift",))
def labels_unrelated(relation: RelationFacts) -> Iterator[Verdict]:
    """Look for a probe that does better than chance."""
    above = {name: deviations for name, (_, deviations) in relation.probes.items()} | {"column": relation.single[1]}
    if max(above.values()) >= RELATED:
        return
    yield Finding(
        summary=f"the inputs say nothing about the labels: over {relation.rows} rows no probe does better than with "
                "permuted labels",
        evidence={
            "rows": relation.rows, "deviations_above_chance": above,
            "correlations": {name: score for name, (score, _) in relation.probes.items()},
            "largest_single_correlation": relation.single[0],
        },
        impact="no model can beat the constant baseline on these inputs",
        fix="look at how inputs and labels were joined: sort orders, indices, a shuffle of one of the two",
    )
