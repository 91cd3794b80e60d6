"""A score that depends on all rows at once is averaged over batches.

## Why it hurts
F1, precision, recall, AUC, R² and correlations of a whole are not the mean of those of its parts. A batch that lacks a
class gives 0 or nothing for it; a batch of one class makes an AUC meaningless. The mean moves with the batch size and
the order of the rows, and can't be compared with anybody's number.

## What is looked at
Calls of scikit-learn's and torchmetrics' functions within one evaluation, one a batch, from a line in a loop over
batches whose values the program averages. The same function over all their rows gives what is meant. A difference of
more than 0.005 changes the second digit that reports show; smaller ones are a note.

## Remedy
Gather predictions and targets of all batches, and compute the score once.

## When it is wrong to worry
Means over tasks, folds, groups or thresholds are means of other things and stay silent, and so does a score per batch
that is only shown. So is a program that reads the score over all rows as well.

## References
Forman and Scholz, "Apples-to-apples in cross-validation studies: pitfalls in classifier performance measurement",
SIGKDD Explorations 2010. The fault as reported: AttnSleep issue 13.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.metrics import BatchScores, MetricFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, Where, rule

MATERIAL = 0.005


@rule(severity=WARNING)
def metric_of_batches(metrics: MetricFacts) -> Iterator[Verdict]:
    """Hold each averaged score against the score over all rows."""
    for each in metrics.averaged:
        if not each.settled:
            yield _finding(each)


def _finding(each: BatchScores) -> Finding:
    differs = not abs(each.mean - each.whole) <= MATERIAL  # which not-a-number does too
    return Finding(
        summary=f"{each.metric} is averaged over {each.batches} batches: {each.mean:.4f}, where all {each.rows} rows "
                f"give {each.whole:.4f}",
        where=Where(place=each.place), severity=WARNING if differs else NOTE,
        evidence={"mean_over_batches": each.mean, "over_all_rows": each.whole, "batches": each.batches,
                  "rows": each.rows, "averaged_by": each.averaged},
        impact="the reported score moves with the batch size and the order of the rows",
        fix=f"gather predictions and targets of all batches, then call {each.metric} once",
    )
