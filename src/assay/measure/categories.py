"""Measure which categories stand in an evaluation split without ever standing in training."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.dataset import Dataset, Split, SplitName
from assay.facts.drift import CategoryFacts, UnseenCategories

NAMED = 5
EVALUATION: tuple[SplitName, ...] = ("validation", "test")


def measure_categories(dataset: Dataset, split: Split, *, divided: str) -> CategoryFacts:
    """Count rows with unseen categories in every column of categories; `divided` is the kind of the split.

    How many a random split would have is the Good-Turing estimate (Good, Biometrika 40, 1953): the share of training
    rows whose category occurs there once.
    """
    columns = [each for each in range(len(dataset.columns)) if dataset.kind_of(each) == "category"]
    unseen = tuple(found for column in columns for found in _unseen(dataset, split, column))
    return CategoryFacts(columns=len(columns), unseen=unseen, divided=divided)


def _unseen(dataset: Dataset, split: Split, column: int) -> Iterator[UnseenCategories]:
    codes = dataset.x[:, column]
    trained = codes[split.train]
    values, counts = np.unique(trained[np.isfinite(trained)], return_counts=True)
    once = float((counts == 1).sum() / max(len(trained), 1))
    names = dataset.categories.get(dataset.columns[column], ())
    for name in EVALUATION:
        rows = split.rows(name)
        found = codes[rows]
        new = found[np.isfinite(found) & ~np.isin(found, values)]
        if len(new):
            commonest = np.unique(new)[:NAMED].astype(np.int64)
            yield UnseenCategories(
                column=dataset.columns[column], split=name, rows=len(new), of=len(rows), expected=once * len(rows),
                names=tuple(names[code] if 0 <= code < len(names) else str(code) for code in commonest),
            )
