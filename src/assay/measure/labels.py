"""Measure the labels of a classification: do all of them name a class?"""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.splits import LabelFacts

NAMED = 10  # rows that a finding names


def measure_labels(dataset: Dataset, split: Split, *, ignore_index: int | None = None) -> LabelFacts | Absent:
    """Look at every label of the training and validation rows; those equal to `ignore_index` are left out.

    Where an example carries several labels each must be 0 or 1. Absent for a regression, and where no row is left.
    """
    if dataset.task == "regression":
        return Absent("a regression has no class labels", applicable=False)
    rows = np.concatenate([split.train, split.validation])
    labels = dataset.y[rows].astype(np.float64)
    if labels.ndim == 2:
        rows, labels = np.repeat(rows, labels.shape[1]), labels.reshape(-1)
    if ignore_index is not None:
        rows, labels = rows[labels != ignore_index], labels[labels != ignore_index]
    if len(labels) == 0:
        return Absent("no training or validation row has a label")
    classes = 2 if dataset.task == "multilabel" else len(dataset.classes)
    valid = (labels >= 0) & (labels < classes) & (labels == np.floor(labels))
    outside = np.flatnonzero(~valid)
    return LabelFacts(
        classes=classes, smallest=float(labels.min()), largest=float(labels.max()),
        outside=tuple((int(rows[at]), float(labels[at])) for at in outside[:NAMED]), outside_rows=len(outside),
    )
