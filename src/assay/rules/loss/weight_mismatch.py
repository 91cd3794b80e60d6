"""Class weights favour the frequent classes, or stand in another order than the classes.

## Why it hurts
Weights are there to lift rare classes. Counts taken for weights, or the ratio turned upside down, do the opposite: the
rare class is hardly learned at all, and the overall score hides it.

## What is looked at
The weights of cross_entropy and nll_loss, or the weight of positives of binary cross entropy, against the labels that
reached the loss at sampled steps: all classes met, the most frequent at least three times as often as the rarest (less
is within the chance of a few batches). Weights count as turned upside down where they grow as the counts do, with an
exponent between 0.7 and 1.3; as out of order where, once both are sorted, they fit the inverse counts within a quarter,
and as they stand they don't go with them.

## Remedy
Weigh by the inverse of the counts, in the order of the class ids; positives by negatives / positives.

## When it is wrong to worry
Weights that follow costs, not counts, grow as they please; they are silent unless they follow the counts this closely.
Where a sampler has balanced the batches already, nothing is judged.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, weight, and torch.nn.BCEWithLogitsLoss, pos_weight: negatives over
positives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

from assay.facts.fact import Place
from assay.facts.loss_targets import LossTarget, LossTargetFacts
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

UNEVEN = 3.0
LABELS = 100
SLOPES = (0.7, 1.3)
FITS = 0.25


@rule(severity=WARNING)
def weight_mismatch(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Hold each line's weights against its labels."""
    weighted = sorted((call for call in targets.calls if call.weights is not None), key=_line)
    if not weighted:
        yield NotApplicable("no loss weighs classes")
    for _, group in groupby(weighted, key=_line):
        calls = list(group)
        counts, weights = _counts(calls), list(calls[0].weights or ())
        if len(weights) == 1 and len(counts) == 2:
            weights = [1.0, *weights]
        if len(counts) == len(weights) > 1 and min(weights) > 0 and _uneven(counts):
            fault = _fault(weights, counts)
            if fault:
                yield _finding(calls[0], fault, weights, counts)


def _line(call: LossTarget) -> tuple[str, int, str]:
    place = call.place or Place("", 0)
    return place.file, place.line, call.name


def _counts(calls: list[LossTarget]) -> list[float]:
    """Labels of each class over the calls of one line; negatives and positives for losses over probabilities."""
    if all(call.counts is not None for call in calls):
        return [float(sum(each)) for each in zip(*(call.counts or () for call in calls), strict=True)]
    known = [(call.labels, call.positives) for call in calls if call.positives is not None]
    positives = sum(labels * share for labels, share in known)
    return [sum(labels for labels, _ in known) - positives, positives]


def _uneven(counts: list[float]) -> bool:
    return sum(counts) >= LABELS and min(counts) > 0 and max(counts) >= UNEVEN * min(counts)


def _fault(weights: list[float], counts: list[float]) -> str | None:
    ours, theirs = _centred(weights), _centred(counts)
    slope = _dot(ours, theirs) / _dot(theirs, theirs)
    spread = math.sqrt(_dot(ours, ours) * _dot(theirs, theirs))
    if spread and SLOPES[0] <= slope <= SLOPES[1] and _dot(ours, theirs) / spread >= 1 - FITS / 2:
        return "grow with the counts: the frequent classes weigh most"
    inverse = [-each for each in theirs]
    sorted_fit = max(abs(a - b) for a, b in zip(sorted(ours), sorted(inverse), strict=True))
    if sorted_fit <= FITS and spread and _dot(ours, inverse) / spread < 0.5:
        return "fit the inverse counts of other classes: they are out of order"
    return None


def _centred(values: list[float]) -> list[float]:
    logs = [math.log(value) for value in values]
    mean = sum(logs) / len(logs)
    return [each - mean for each in logs]


def _dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _finding(call: LossTarget, fault: str, weights: list[float], counts: list[float]) -> Finding:
    return Finding(
        summary=f"the class weights of {call.name} {fault}", where=Where(place=call.place, step=call.step),
        evidence={"weights": weights, "labels_met": [round(each) for each in counts]},
        fix="weigh each class by the inverse of its count, in the order of the ids"
        if call.counts is not None else "pos_weight is negatives / positives",
    )
