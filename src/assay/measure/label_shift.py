"""Measure whether labels have slipped against their rows: a probe for the label one or two rows before and after.

Test rows are left out, so that no label of theirs is looked at.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.label_shift import LabelShiftFacts, OffsetScores
from assay.linear_probe import correlation, held_out, standardised, widened

Values = NDArray[np.float64]
Rows = NDArray[np.int64]

OFFSETS = (-2, -1, 0, 1, 2)
FEWEST = 60  # pairs of neighbouring rows, below which only the strongest relation could be told from chance
BLOCKS, BLOCK = 8, 1500  # runs of rows that are looked at in a longer table, and the length of each
RANGES = 4
CLASSES = 10  # commonest classes, told apart from all others
SERIES = 0.25  # correlation with its prediction from the row before, from which a column belongs to a series
COPY = 0.97  # correlation with another row's label or column, from which a column is that, kept on purpose
WIDEST = 300  # columns, drawn where there are more: enough to tell a label by


def measure_label_shift(dataset: Dataset, split: Split, *, seed: int = 0) -> LabelShiftFacts | Absent:
    """Fit the probe at offsets -2 to 2 on pairs of training and validation rows.

    Absent where there are fewer than 60 such pairs, or no column is left that doesn't belong to a series.
    """
    rows = _looked_at(np.sort(np.concatenate([split.train, split.validation])))
    rows = rows[np.isfinite(dataset.y[rows].reshape(len(rows), -1)).all(axis=1)]
    pairs = {offset: rows[np.isin(rows + offset, rows)] for offset in OFFSETS}
    if min(len(each) for each in pairs.values()) < FEWEST:
        return Absent("too few neighbouring rows for a probe of the labels' place")
    labels = _labels(dataset, rows)
    if labels.shape[1] == 0:
        return Absent("the labels don't vary")
    place = np.full(dataset.rows, -1)
    place[rows] = np.arange(len(rows))
    telling = _telling(dataset, pairs, labels=labels, place=place)
    if not telling.any():
        return Absent("every column follows from the row before: in a series a lag may be meant")
    x = widened(dataset.x[np.ix_(rows, telling)], _categorical(dataset)[telling], seed=seed)
    predicted = {
        offset: (at, held_out(x[place[at]], labels[place[at + offset]], seed=seed), labels[place[at + offset]])
        for offset, at in pairs.items()
    }
    cuts = np.quantile(rows, np.linspace(0, 1, RANGES + 1))
    before = pairs[-1]
    return LabelShiftFacts(
        whole=_scores(predicted, rows[0], rows[-1]),
        ranges=tuple(_scores(predicted, low, high) for low, high in pairwise(cuts)),
        label_memory=correlation(labels[place[before]], labels[place[before - 1]]),
        columns=int(telling.sum()), left_out=int((~telling).sum()), in_time=_in_time(dataset, rows),
    )


def _in_time(dataset: Dataset, rows: Rows) -> bool:
    dates = [dataset.x[:, each] for each in range(len(dataset.columns)) if dataset.kind_of(each) == "date"]
    for times in (dates if dataset.times is None else [dataset.times, *dates]):
        known = times[rows][np.isfinite(times[rows])]
        steps = np.diff(known)
        if len(known) > 1 and known[0] != known[-1] and ((steps >= 0).all() or (steps <= 0).all()):
            return True
    return False


def _looked_at(rows: Rows) -> Rows:
    if len(rows) <= BLOCKS * BLOCK:
        return rows
    starts = np.linspace(0, len(rows) - BLOCK, BLOCKS).astype(np.int64)
    return np.unique(np.concatenate([rows[start:start + BLOCK] for start in starts]))


def _labels(dataset: Dataset, rows: Rows) -> Values:
    """Labels as numbers [rows, targets]: one column for each of the commonest classes, or the target itself."""
    y = dataset.y[rows].astype(np.float64)
    if dataset.task == "regression" or y.ndim == 2:
        return standardised(y.reshape(len(rows), -1))
    values, counts = np.unique(y, return_counts=True)
    return standardised((y[:, None] == values[np.argsort(-counts, kind="stable")[:CLASSES]]).astype(np.float64))


def _categorical(dataset: Dataset) -> NDArray[np.bool_]:
    return np.array([dataset.kind_of(column) == "category" for column in range(len(dataset.columns))], dtype=bool)


def _telling(dataset: Dataset, pairs: dict[int, Rows], *, labels: Values, place: Rows) -> NDArray[np.bool_]:
    """Columns that neither follow from the row before nor are the label of another row."""
    telling = np.zeros(len(dataset.columns), dtype=bool)
    at = pairs[-1]
    now, before = dataset.x[at], dataset.x[at - 1]
    varies = np.array([_varies(now[:, column]) and _varies(before[:, column]) for column in range(now.shape[1])])
    if not varies.any():
        return telling
    columns = np.flatnonzero(varies)
    if len(columns) > WIDEST:
        columns = np.sort(np.random.Generator(np.random.PCG64(0)).choice(columns, WIDEST, replace=False))
    later, earlier = _ranked(now[:, columns]), standardised(_ranked(before[:, columns]))
    expected = held_out(earlier, later)
    lagged = _lagged(earlier, standardised(later))
    for number, column in enumerate(columns):
        follows = correlation(expected[:, [number]], later[:, [number]])
        repeats = correlation(_ranked(before[:, [column]]), later[:, [number]])
        telling[column] = max(follows, abs(repeats)) < SERIES and number not in lagged
    for offset in (each for each in OFFSETS if each):
        told = labels[place[pairs[offset] + offset]]
        for column in np.flatnonzero(telling):
            telling[column] = not _same(dataset.x[pairs[offset], column], told)
    return telling


def _lagged(earlier: Values, later: Values) -> set[int]:
    """Columns that are another column of the row before or after: lags of one series. Both are standardised."""
    if earlier.shape != later.shape:
        return set()
    pairs = np.argwhere(np.abs(earlier.T @ later / len(later)) > COPY)
    return {int(column) for pair in pairs for column in pair}


def _varies(values: Values) -> bool:
    known = values[np.isfinite(values)]
    return len(known) > 1 and bool((known != known[0]).any())


def _ranked(x: Values) -> Values:
    """Ranks of the values in each column, centred; a missing value stands in the middle."""
    ranks = np.empty_like(x)
    for column in range(x.shape[1]):
        values, place = np.unique(x[:, column], return_inverse=True)
        ranks[:, column] = np.where(np.isfinite(x[:, column]), place / max(len(values) - 1, 1) - 0.5, 0.0)
    return ranks


def _same(values: Values, labels: Values) -> bool:
    known = np.isfinite(values)
    column = standardised(values[known, None])
    if column.shape[1] == 0:
        return False
    told = labels[known]
    return any(abs(correlation(column, told[:, [target]])) > COPY for target in range(told.shape[1]))


def _scores(predicted: dict[int, tuple[Rows, Values, Values]], first: float, last: float) -> OffsetScores:
    scores, counts = [], []
    for offset, (rows, guess, truth) in predicted.items():
        inside = (rows >= first) & (rows <= last)
        counts.append(int(inside.sum()))
        scores.append((offset, correlation(guess[inside], truth[inside]) if inside.any() else 0.0))
    return OffsetScores(first=int(first), last=int(last), rows=min(counts), scores=tuple(scores))
