"""The same example stands in two splits.

## Why it hurts
A network that has memorised its training rows answers their copies right, however badly it generalises. The
validation score is then too good by up to the share of copies, and it favours the models that memorise most. Neither
the loss nor the curves show it.

## What is looked at
Rows that stand in two splits by their very number, and hashes of the input rows of every pair of splits. Shared rows
are always an error. Equal inputs in different rows are one if they can decide the score and nature doesn't explain
them:

- They can decide it if k copies among n rows outweigh the standard error of an accuracy over these rows,
  k / n > 0.5 / sqrt(n) (binomial, at its largest). Fewer are a note, unless nature explains them.
- Nature explains equal inputs where the columns are so coarse that different rows often differ in one column only,
  or would often meet an equal if columns were independent: where at least half as large a share of the training rows
  is of that kind as is shared (half, since both are estimates). Copies of rows with fine columns come without such
  near misses.
- Even so, no more of them should cross the splits than a random assignment gives. If equal rows come in pairs, a pair
  with a row among the n of training crosses to the m of the other split with probability 2m / (2m + n); a count five
  standard errors (binomial) above what that gives, from the repeats within training, is a warning: three for chance,
  and some more because equal rows also come in larger groups.

In a watched program: fingerprints of the examples that pass through the model, in training and in each evaluation. An
evaluation in which some examples had been trained on and others hadn't is judged by the same two tests, where it holds
the same examples each time and all training examples were known by then. Nothing is said where it holds most (four
fifths) of the training examples, as a plot over all data does; where none or all were trained on (see eval-on-train);
and where it is a single glance at less than a tenth as many examples as training has.

## Remedy
Drop repeated rows before splitting, or split so that all copies of an input fall into one part. Oversample after the
split, the training part alone.

## When it is wrong to worry
Small tables of categories have few distinct inputs, so that equal rows cross any split: they stay silent. An overfit
test that validates on its training rows on purpose: allow it by name.

## References
Barz and Denzler, "Do we train on test data? Purging CIFAR of near-duplicates", Journal of Imaging 6, 2020.
Kapoor and Narayanan, "Leakage and the reproducibility crisis in machine-learning-based science", Patterns 4, 2023.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.examples import EvaluatedExamples, ExampleFacts
from assay.facts.fact import Unknown
from assay.facts.splits import Overlap, SplitFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, NotChecked, Severity, Verdict, Where, rule

FAR = 5.0  # standard errors
NATURAL = 0.5  # of the shared rows' share
COVERED = 0.8  # of the training examples, from which an evaluation is one of all data
FEWEST = 5
SMALL = 0.1  # of the training examples, below which a single look is a glance and no evaluation


@rule(severity=ERROR)
def split_overlap(splits: SplitFacts | None, passing: ExampleFacts | None) -> Iterator[Verdict]:
    """Judge every pair of splits that shares inputs, or every evaluation that holds training examples."""
    if splits is not None:
        yield from _split(splits)
    elif passing is not None:
        yield from map(_mixed, filter(_mixes, passing.evaluations))
    else:
        yield NotChecked("no examples were met, neither in splits nor in passes of training and of evaluation")


def _mixes(evaluated: EvaluatedExamples) -> bool:
    """Whether training examples are among others, are enough to decide the score, and aren't so by nature."""
    size = evaluated.rows >= SMALL * evaluated.training
    return (
        FEWEST <= evaluated.known < evaluated.rows and evaluated.known > 0.5 * math.sqrt(evaluated.rows)
        and evaluated.covered < COVERED and (evaluated.again or size)
        and (evaluated.natural_share or 0.0) < NATURAL * evaluated.share
    )


def _mixed(evaluated: EvaluatedExamples) -> Finding:
    return Finding(
        summary=f"{evaluated.known} of {evaluated.rows} evaluated examples were trained on, and the others weren't",
        where=Where(place=evaluated.place),
        evidence={"evaluated": evaluated.rows, "trained_on": evaluated.known, "share": evaluated.share,
                  "training_examples": evaluated.training, "share_of_training": evaluated.covered,
                  "natural_share": evaluated.natural_share},
        impact=f"up to {evaluated.share:.1%} of this score is memory",
        fix="drop repeated rows before splitting, or keep all copies of an input in one split; oversample after it",
    )


def _split(splits: SplitFacts) -> Iterator[Verdict]:
    if isinstance(splits.overlaps, Unknown):
        yield NotChecked(splits.overlaps.why)
        return
    for overlap in splits.overlaps:
        if overlap.same_rows:
            yield _finding(splits, overlap, reason="the splits aren't disjoint")
        elif _natural(splits, overlap):
            if _decides(splits, overlap) and _excess(splits, overlap) > FAR:
                reason = "more than a random split of this table's repeats gives"
                yield _finding(splits, overlap, reason=reason, severity=WARNING)
        elif _decides(splits, overlap):
            yield _finding(splits, overlap, reason="columns this fine don't repeat by chance")
        else:
            yield _few(splits, overlap)


def _decides(splits: SplitFacts, overlap: Overlap) -> bool:
    """Whether the copies can move the score by more than its standard error."""
    return overlap.rows > 0.5 * math.sqrt(splits.rows(overlap.second))


def _natural(splits: SplitFacts, overlap: Overlap) -> bool:
    return splits.natural_share is not None and splits.natural_share >= NATURAL * overlap.share


def _excess(splits: SplitFacts, overlap: Overlap) -> float:
    """Standard errors by which the pairs that cross outnumber what a random assignment gives."""
    if isinstance(splits.repeated_share, Unknown):
        return 0.0
    n, m = splits.rows(overlap.first), splits.rows(overlap.second)
    pairs = overlap.rows + splits.repeated_share * n / 2
    crossing = 2 * m / (2 * m + n)
    return (overlap.rows - pairs * crossing) / math.sqrt(pairs * crossing * (1 - crossing))


def _evidence(splits: SplitFacts, overlap: Overlap) -> dict[str, object]:
    repeated = None if isinstance(splits.repeated_share, Unknown) else splits.repeated_share
    return {
        "shared_rows": overlap.rows, "share": overlap.share, "same_row_numbers": overlap.same_rows,
        "rows": [list(pair) for pair in overlap.examples], "repeated_within_training": repeated,
        "natural_share": splits.natural_share,
    }


def _finding(splits: SplitFacts, overlap: Overlap, *, reason: str, severity: Severity = ERROR) -> Finding:
    return Finding(
        summary=f"{overlap.rows} of {splits.rows(overlap.second)} {overlap.second} examples stand in {overlap.first} "
                f"too: {reason}",
        severity=severity, evidence=_evidence(splits, overlap),
        impact=f"up to {overlap.share:.1%} of the {overlap.second} score is memory",
        fix="drop repeated rows before splitting, or keep all copies of an input in one split; oversample after it",
    )


def _few(splits: SplitFacts, overlap: Overlap) -> Finding:
    return Finding(
        summary=f"{overlap.rows} of {splits.rows(overlap.second)} {overlap.second} examples have a copy in "
                f"{overlap.first}: too few to decide the score",
        severity=NOTE, evidence=_evidence(splits, overlap), fix="drop repeated rows before splitting",
    )
