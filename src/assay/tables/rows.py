"""Rows that are no examples: totals below a table, and its header once more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from assay.facts.table import Form, Reading
from assay.recipe.schema import TableData
from assay.tables.numbers import PLAIN, SHOWN
from assay.tables.raw import RawTable

TOTAL = r"^(?i:(grand |sub)?totals?|sub-totals?|sums?|gesamt|summe|averages?|means?):?$"

SUBTOTAL = r"^(?i:sub)"
"""A part's total, which may stand below each part."""

MOST_TOTALS = 0.05
"""The share of rows, beyond which "total" is a value like others."""


def without_odd_rows(raw: RawTable, data: TableData) -> tuple[RawTable, tuple[Reading, ...]]:
    """The table without totals and repeated headers, as the recipe asks or as they are found, and what was left out."""
    wanted = data.leave_out_rows
    keep = np.ones(len(raw.parts), dtype=bool)
    readings: list[Reading] = []
    if wanted is None or "repeated_header" in wanted:
        readings += _leave_out(raw, _repeated_headers(raw), keep, "repeated header", stated=wanted is not None)
    if wanted is None or "total" in wanted:
        readings += _leave_out(raw, _totals(raw), keep, "total row", stated=wanted is not None)
    return (raw.kept(keep) if readings else raw), tuple(readings)


def _leave_out(
    raw: RawTable, which: tuple[str, np.ndarray], keep: np.ndarray, form: Form, *, stated: bool
) -> Iterator[Reading]:
    column, found = which
    rows = np.flatnonzero(found)
    if not len(rows):
        return
    keep[rows] = False
    shown = tuple(int(row) for row in rows[:SHOWN])
    yield Reading(column=column, form=form, count=len(rows), rows=shown, stated=stated,
                  examples=tuple(str(raw.cells[column][row]) for row in shown),
                  read_as="no example: left out")


def _text_columns(raw: RawTable) -> list[str]:
    return [column for column, kind in raw.cells.schema.items() if kind == pl.String]


def _repeated_headers(raw: RawTable) -> tuple[str, np.ndarray]:
    """Rows that hold the columns' own names, in two columns at least."""
    columns = _text_columns(raw)
    if len(columns) < 2 or len(columns) < raw.cells.width:
        return "", np.zeros(len(raw.parts), dtype=bool)
    same = raw.cells.select(pl.all_horizontal(pl.col(column) == column for column in columns).fill_null(value=False))
    return columns[0], same.to_series().to_numpy()


def _totals(raw: RawTable) -> tuple[str, np.ndarray]:
    """Rows whose first value is the word for a total, with numbers beside it; where they are few, or the last."""
    nothing = np.zeros(len(raw.parts), dtype=bool)
    for column in _text_columns(raw)[:3]:
        cells = raw.cells[column]
        words = cells.str.contains(TOTAL).fill_null(value=False)
        if not words.any() or not 0 < words.sum() <= max(1, MOST_TOTALS * len(words)):
            continue
        beside = raw.cells.filter(words).select(_text_columns(raw)).drop(column)
        numbers = beside.select(pl.any_horizontal(pl.all().str.contains(PLAIN)).fill_null(value=False)).to_series() \
            if beside.width else pl.Series([], dtype=pl.Boolean)
        rest = cells.filter(words & ~cells.str.contains(SUBTOTAL))
        once = rest.is_empty() or (rest.n_unique() == len(rest) and words[-1])
        if numbers.any() and once:
            return column, words.to_numpy()
    return "", nothing
