"""Measure whether rows are windows of a series, and whether their neighbours in time stand in other splits.

Of the test rows only inputs and places are looked at, and no label.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split, SplitName
from assay.facts.fact import Absent
from assay.facts.leakage import WindowFacts, Windows
from assay.row_hashes import Hashes, column_hashes

Values = NDArray[np.float64]
Rows = NDArray[np.int64]

FEWEST_ROWS = 50
PAIRS = 400  # of neighbouring rows that are compared
COLUMNS = 100
REPEATED = 0.9  # of the pairs in which a column must repeat another of the row before
SAME = 0.5  # of the pairs, beyond which two columns are taken for copies of each other
DISTINCT = 20  # values among the pairs, below which columns agree by chance
STEPS = 10  # columns by which one window may be ahead of the next
ENDS: tuple[SplitName, ...] = ("validation", "test")


def measure_windows(dataset: Dataset, split: Split) -> WindowFacts | Absent:
    """Look for a column that repeats what another, or the target, held in the row before.

    Where the order of the file doesn't show it, whole windows are looked for by hashes: the end of one is the beginning
    of another. Absent for fewer than 50 rows.
    """
    if dataset.rows < FEWEST_ROWS or not len(split.train):
        return Absent("too few rows to be windows of a series")
    lag = _lag(dataset, split)
    if lag is not None:
        return WindowFacts(windows=tuple(_by_place(split, *lag)))
    return WindowFacts(windows=tuple(_by_content(dataset, split)))


def _lag(dataset: Dataset, split: Split) -> tuple[str, str] | None:
    """(column, what it repeats from the row before), the pair that agrees the most often."""
    learned = np.sort(np.concatenate([split.train, split.validation]))
    starts = learned[np.isin(learned + 1, learned)]
    if len(starts) < FEWEST_ROWS // 2:
        return None
    starts = starts[np.linspace(0, len(starts) - 1, min(PAIRS, len(starts))).astype(np.int64)]
    x = dataset.x[:, :COLUMNS]
    before, after = x[starts], x[starts + 1]
    names = list(dataset.columns[:COLUMNS])
    if dataset.task == "regression":
        before, names = np.column_stack([before, dataset.y[starts]]), [*names, "the target"]
    fine = [at for at in range(after.shape[1]) if len(np.unique(after[np.isfinite(after[:, at]), at])) >= DISTINCT]
    best, found = REPEATED, None
    for column in fine:
        agreeing = (before == after[:, [column]]).mean(axis=0)
        same = (before == before[:, [column]]).mean(axis=0)
        agreeing[same > SAME] = 0.0
        if agreeing.max() >= best:
            best, found = float(agreeing.max()), (names[column], names[int(agreeing.argmax())])
    return found


def _by_place(split: Split, column: str, repeats: str) -> Iterator[Windows]:
    for name in ENDS:
        rows = split.rows(name)
        after, before = (int(np.isin(rows + step, split.train).sum()) for step in (1, -1))
        if after or before:
            yield Windows(
                first="train", second=name, rows=len(rows), after=after, before=before, column=column, repeats=repeats,
            )


def _by_content(dataset: Dataset, split: Split) -> Iterator[Windows]:
    x, columns = dataset.x, dataset.x.shape[1]
    if columns < 3:
        return
    for step in range(1, min(STEPS, columns // 2) + 1):
        if not _may_follow(x, split.train, step):
            continue
        head, tail = _segment(x, range(columns - step)), _segment(x, range(step, columns))
        mixed = _segment(x, range(columns - 1, step - 1, -1))
        for name in ENDS:
            rows = split.rows(name)
            after = int(np.isin(tail[rows], head[split.train]).sum())
            before = int(np.isin(head[rows], tail[split.train]).sum())
            chance = int(np.isin(mixed[rows], head[split.train]).sum())
            if min(after, before) > 3 * chance:
                yield Windows(
                    first="train", second=name, rows=len(rows), after=after, before=before,
                    column=dataset.columns[0], repeats=dataset.columns[step],
                )
        return


def _may_follow(x: Values, train: Rows, step: int) -> bool:
    """Whether values of a column stand where those of a column `step` further on stood in another row."""
    sample = x[train[np.linspace(0, len(train) - 1, min(PAIRS, len(train))).astype(np.int64)]]
    first, second = sample[:, step], x[:, 0]
    if len(np.unique(first[np.isfinite(first)])) < DISTINCT:
        return False
    found = np.isin(first, second) & np.isin(sample[:, -1], x[:, -1 - step])
    return bool(found.mean() >= 0.3)


def _segment(x: Values, columns: range) -> Hashes:
    """One hash a row of these columns in this order."""
    total = np.zeros(len(x), dtype=np.uint64)
    for place, column in enumerate(columns):
        total += column_hashes(x[:, column], place)
    return total
