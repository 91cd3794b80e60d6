"""Levels at which a loss is known to stall, each with its cause."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.facts.overfit import Floor


def class_floors(labels: Sequence[int], classes: int) -> tuple[Floor, ...]:
    """Where a cross entropy stalls on these class ids, in nats.

    - softmax applied twice: the surest input to the second softmax is one-hot, so the best probability is
      e / (e + C - 1); one that is as sure of a wrong class costs log(e + C - 1), which is 1 more
    - a constant prediction: the entropy of the labels
    """
    twice = Floor(
        value=math.log(1 + (classes - 1) / math.e), formula=f"log(1 + {classes - 1}/e)",
        cause="softmax is applied twice", wrong=1.0,
    )
    return (twice, _constant(labels))


def binary_floors(labels: Sequence[int]) -> tuple[Floor, ...]:
    """Where a binary cross entropy stalls on labels 0 and 1, in nats.

    With a sigmoid applied twice the inner one gives values in (0, 1), so the loss of a positive can't fall below
    log(1 + 1/e) and that of a negative not below log 2; on the wrong side they are log 2 and log(1 + e).
    """
    positives = sum(labels) / len(labels)
    twice = Floor(
        value=positives * math.log(1 + 1 / math.e) + (1 - positives) * math.log(2),
        formula=f"{positives:.2f} · log(1 + 1/e) + {1 - positives:.2f} · log 2", cause="sigmoid is applied twice",
        wrong=positives * (math.log(2) - math.log(1 + 1 / math.e))
        + (1 - positives) * (math.log(1 + math.e) - math.log(2)),
    )
    return (twice, _constant(labels))


def multilabel_floors(labels: Sequence[Sequence[int]]) -> tuple[Floor, ...]:
    """Where the mean binary cross entropy over several labels stalls, on rows of labels 0 and 1, in nats.

    As `binary_floors`; a constant prediction knows each label's own frequency.
    """
    twice, _ = binary_floors([label for row in labels for label in row])
    return (twice, Floor(value=multilabel_entropy(labels), formula="the mean entropy of the labels",
                         cause="the prediction is the same for every input"))


def regression_floors(targets: Sequence[float]) -> tuple[Floor, ...]:
    """Where a mean squared error stalls: at the targets' variance, which a constant prediction gives.

    So does a prediction of shape (N, 1) against targets of shape (N,): every output is pulled to the mean.
    """
    mean = sum(targets) / len(targets)
    variance = sum((target - mean) ** 2 for target in targets) / len(targets)
    cause = "the prediction is the same for every input, or prediction and target broadcast against each other"
    return (Floor(value=variance, formula="the variance of the targets", cause=cause),)


def _constant(labels: Sequence[int]) -> Floor:
    return Floor(
        value=entropy(labels), formula="the entropy of the labels", cause="the prediction is the same for every input",
    )


def entropy(labels: Sequence[int]) -> float:
    """The entropy of the labels' frequencies in nats: the loss of the best constant prediction."""
    counts = [labels.count(value) for value in set(labels)]
    return -sum(count / len(labels) * math.log(count / len(labels)) for count in counts)


def multilabel_entropy(labels: Sequence[Sequence[int]]) -> float:
    """The mean over the labels of each one's entropy, in nats, from rows of labels 0 and 1."""
    columns = list(zip(*labels, strict=True))
    return sum(map(entropy, columns)) / len(columns)


def smoothed_floor(smoothing: float, classes: int) -> float:
    """The lowest value of a cross entropy with label smoothing: the entropy of the smoothed label, in nats.

    Smoothing as in Szegedy et al. 2016, section 7: (1 - s) on the label and s / C on every class.
    """
    if smoothing == 0:
        return 0.0
    rest = smoothing / classes
    label = 1 - smoothing + rest
    return -label * math.log(label) - (classes - 1) * rest * math.log(rest)
