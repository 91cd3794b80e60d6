"""Columns that tie rows together or put them in order: groups, times, and splits that the data state."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import DataError
from assay.tables.columns import FEWEST_ROWS, Column, Conventions, read_column

_PEOPLE = "patient|user|subject|customer|client|participant|speaker|author|student|animal|writer|donor|person|player"
_PLACES = "household|family|session|device|site|account|group|driver|doctor|hospital|school|store|machine|document"
GROUP_NAME = re.compile(
    rf"^(?:the_?)?(?:{_PEOPLE}|{_PLACES})(?:_?(?:id|no|nr|number|code|key))$|^(?:{_PEOPLE})$", re.IGNORECASE,
)
"""Ids of what several rows may belong to; a plain "households" or "device" may as well count them or name a kind."""

ROWS_A_GROUP = 1.5
"""Rows of an average group, from which rows are worth keeping together."""

FEWEST_GROUPS = 10

SPLITS = {
    "train": ("train", "training", "tr", "learn"),
    "validation": ("validation", "valid", "val", "dev", "development"),
    "test": ("test", "testing", "te", "holdout", "eval"),
}


def likely_group(columns: Sequence[Column], rows: int) -> str | None:
    """A column named as people, places and sessions are, each with several rows; None without one."""
    for column in columns:
        distinct = column.values.drop_nulls().n_unique()
        if GROUP_NAME.match(column.name) and distinct >= FEWEST_GROUPS and distinct * ROWS_A_GROUP <= rows:
            return column.name
    return None


def likely_time(columns: Sequence[Column], rows: int) -> str | None:
    """A column of dates that rise row by row, none twice: a series; None without one."""
    for column in columns:
        steps = column.values.diff().drop_nulls() if column.kind == "date" else pl.Series([], dtype=pl.Float64)
        if len(steps) == rows - 1 and rows >= FEWEST_ROWS and ((steps > 0).all() or (steps < 0).all()):
            return column.name
    return None


def read_groups(cells: pl.Series) -> NDArray[np.int64]:
    """Equal numbers for equal values; a row without a value is a group of its own.

    Raises DataError where no row has a value.
    """
    if cells.null_count() == len(cells):
        raise DataError(f"group {cells.name} has no value in any row; name another column with --group.")
    numbers = cells.cast(pl.String).rank("dense").cast(pl.Int64).to_numpy(allow_copy=True).astype(np.float64)
    missing = cells.is_null().to_numpy()
    numbers[missing] = len(cells) + 1 + np.arange(missing.sum())
    places: NDArray[np.int64] = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return places


def read_times(cells: pl.Series, conventions: Conventions) -> NDArray[np.float64]:
    """When a row was made: numbers as they are, dates in days since 1970.

    Raises DataError where a row has neither.
    """
    column = read_column(cells, conventions)
    if column.values.dtype != pl.Float64:
        raise DataError(f"time {cells.name} holds words such as {cells.drop_nulls().head(1).to_list()}; name a column "
                        "of dates or numbers with --time.")
    values = column.values.fill_null(float("nan")).to_numpy()
    missing = np.flatnonzero(~np.isfinite(values))
    if len(missing):
        raise DataError(f"time {cells.name} has no value in {len(missing):,} rows, the first of them row "
                        f"{missing[0] + 1}; leave these rows out, or name another column with --time.")
    return values.astype(np.float64)


def read_given(cells: pl.Series) -> NDArray[np.str_]:
    """Each row's split by a column that states it.

    Raises DataError where a value is none of train, validation and test, as they are usually called.
    """
    meanings = {word: split for split, words in SPLITS.items() for word in words}
    texts = cells.cast(pl.String).str.to_lowercase().fill_null("")
    unknown = texts.filter(~texts.is_in(list(meanings)))
    if len(unknown):
        raise DataError(f"split column {cells.name} holds {unknown[0]!r} in {len(unknown):,} rows; it must say train, "
                        "validation or test in every row.")
    return texts.replace_strict(meanings).to_numpy().astype(np.str_)
