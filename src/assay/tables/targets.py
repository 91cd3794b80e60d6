"""What is to be predicted: the task, class ids or numbers, and classes that are spelled in several ways."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.errors import DataError
from assay.facts.table import Reading, Spellings
from assay.facts.task import TaskKind
from assay.tables.columns import MOSTLY, Column, Conventions, read_column
from assay.tables.missing import NUMBER_WORDS

MOST_NUMBERED = 20
"""Different whole numbers, up to which they are classes, if each stands for several rows."""

ROWS_A_CLASS = 5
"""Rows that each of the numbers must have on average to be a class."""

ROWS_OF_A_CLASS = 3
"""Of fewer, a number can't stand in training, validation and test."""

FALLING = -0.9
"""Correlation of the numbers with the logarithm of their rows, from the commonest on: counts of events have less."""

MOST_CLASSES = 0.5
"""Distinct words among the rows, beyond which a target of words is no class but a name."""

UNKNOWN = (*NUMBER_WORDS, "(blank)", "n/k", "not known")
YES, NO = ("yes", "y", "true", "t", "1"), ("no", "n", "false", "f", "0")


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is to be predicted.

    y           as in Dataset; rows without a target hold 0
    known       rows that have a target, bool [rows]
    classes     names in the order of the ids
    why         how the task was told
    certain     False where numbers could be classes or amounts
    """

    task: TaskKind
    y: NDArray[Any]
    known: NDArray[np.bool_]
    classes: tuple[str, ...] = ()
    why: str = ""
    certain: bool = True
    spellings: tuple[Spellings, ...] = ()
    readings: tuple[Reading, ...] = ()


def read_target(cells: pl.Series, conventions: Conventions, *, task: TaskKind | None) -> Target:
    """The target of one column.

    task    as the recipe states it; None infers it: numbers that aren't whole, or are many, are amounts

    Raises DataError where nothing can be learned from it.
    """
    if cells.dtype.is_nested() or cells.dtype == pl.Binary:
        raise DataError(f"target {cells.name} holds lists, records or bytes; name a column of words or numbers.")
    column = _column(cells, conventions, task)
    unread = next((each for each in column.readings if each.read_as is None), None)
    if column.values.drop_nulls().is_empty() and unread is not None:
        raise DataError(f"target {cells.name} holds words such as {unread.examples[0]!r}, not numbers; leave out "
                        "--task regression, or name another column.")
    if column.values.drop_nulls().is_empty():
        raise DataError(f"target {cells.name} has no value in any row; name another column with --target.")
    if column.kind == "date" and task != "regression":
        raise DataError(f"target {cells.name} holds dates; name a column of classes or numbers with --target.")
    if column.values.dtype == pl.Float64:
        return _numbers(column, task)
    return _words(cells.cast(pl.String), task)


def read_labels(table: pl.DataFrame, conventions: Conventions) -> Target:
    """Several targets of 0 and 1: a multilabel task.

    Raises DataError where a column holds anything else.
    """
    columns, known = [], np.ones(table.height, dtype=bool)
    for cells in table:
        one = read_target(cells, conventions, task=None)
        if one.task != "binary":
            raise DataError(f"target {cells.name} doesn't hold two values; several targets must each hold 0 and 1 (or "
                            "no and yes), so name one column with --target.")
        columns.append(one.y.astype(np.float64))
        known &= one.known
    return Target(task="multilabel", y=np.stack(columns, axis=1), known=known, classes=tuple(table.columns),
                  why=f"{table.width} targets of 0 and 1")


def _column(cells: pl.Series, conventions: Conventions, task: TaskKind | None) -> Column:
    column = read_column(cells, conventions, asked="number" if task == "regression" and cells.dtype == pl.String
                         else None)
    numeric = column.values.dtype == pl.Float64
    unread = sum(each.count for each in column.readings if each.read_as is None)
    if numeric and task != "regression" and cells.dtype == pl.String and unread and _share(column, unread) < 1.0:
        return read_column(cells, conventions, asked="category")
    return column


def _share(column: Column, unread: int) -> float:
    """How surely a column with some text in it holds numbers: with few different numbers the words are classes."""
    values = column.values.drop_nulls()
    return 0.0 if values.n_unique() <= MOST_NUMBERED or len(values) < MOSTLY * (len(values) + unread) else 1.0


def _numbers(column: Column, task: TaskKind | None) -> Target:
    values = column.values
    present = values.drop_nulls()
    distinct, whole = present.n_unique(), bool((present == present.round()).all())
    few = distinct == 2 or (whole and distinct <= MOST_NUMBERED and distinct * ROWS_A_CLASS <= len(present)
                              and not _fall_off(present))
    readings = column.readings
    if task == "regression" or (task is None and not few):
        infinite = ~present.is_finite()
        if infinite.any() or float(present.abs().max() or 0.0) > 1e150:  # type: ignore[arg-type]  # the variance overflows
            worst = values.abs().fill_null(0.0).arg_max()
            raise DataError(f"target {column.name} holds {values[worst or 0]:g} in row {(worst or 0) + 1}, beyond what "
                            "can be learned; mend the value, or leave the row out.")
        if distinct == 1:
            raise DataError(f"target {column.name} has one value only ({present[0]:g}), so there is nothing to learn; "
                            "check the target.")
        why = f"{distinct:,} different numbers" if task is None else "as asked"
        return Target(task="regression", y=values.fill_null(0.0).to_numpy(), known=values.is_not_null().to_numpy(),
                      why=why, certain=distinct > MOST_NUMBERED or not whole, readings=readings)
    if task is not None and not whole and distinct > MOST_NUMBERED:
        raise DataError(f"target {column.name} holds {distinct:,} different numbers that aren't whole, which are no "
                        f"classes; leave out --task {task}.")
    numbers = sorted(float(each) for each in present.unique())
    names = tuple(f"{each:.15g}" for each in numbers)
    if len(set(names)) < len(names):
        names = tuple(repr(each) for each in numbers)
    codes = np.searchsorted(np.array(numbers), values.fill_null(numbers[0]).to_numpy())
    return _classes(column.name, codes, known=values.is_not_null().to_numpy(), names=names,
                    certain=distinct == 2, readings=readings)


def _fall_off(present: pl.Series) -> bool:
    """Whether each larger number has fewer rows, down to one or two: events that were counted."""
    rows = present.value_counts().sort(present.name)["count"].to_numpy()
    tail = rows[rows.argmax():]
    if len(tail) < 4 or len(rows) < 5 or rows[-1] >= ROWS_OF_A_CLASS or float(present.min() or 0.0) < 0:  # type: ignore[arg-type]
        return False
    return bool(np.corrcoef(np.arange(len(tail)), np.log(tail))[0, 1] <= FALLING)


def _classes(
    name: str, codes: NDArray[Any], *, known: NDArray[np.bool_], names: tuple[str, ...], certain: bool = True,
    readings: tuple[Reading, ...] = (),
) -> Target:
    if len(names) < 2:
        raise DataError(f"target {name} has one class only ({names[0]}), so there is nothing to tell apart; check the "
                        "target.")
    if len(names) > 2 and int(np.bincount(codes[known].astype(np.int64)).max()) == 1:
        raise DataError(f"target {name} has {len(names):,} classes of one row each, so nothing can be learned and "
                        "checked; name another column with --target.")
    what = "values" if certain else "whole numbers, which may be amounts as well"
    return Target(task="binary" if len(names) == 2 else "multiclass", y=codes.astype(np.int64), known=known,
                  classes=names, why=f"{len(names)} different {what}", certain=certain, readings=readings)


def _words(cells: pl.Series, task: TaskKind | None) -> Target:
    counts = dict(cells.drop_nulls().value_counts(sort=True).iter_rows())
    keys = {text: _key(text) for text in counts}
    keys = _yes_and_no(keys)
    blank = {text: count for text, count in counts.items() if text.casefold() in UNKNOWN}
    by_key: dict[str, dict[str, int]] = {}
    for text, count in counts.items():
        if text not in blank:
            by_key.setdefault(keys[text], {})[text] = count
    if not by_key:
        raise DataError(f"target {cells.name} has no value in any row; name another column with --target.")
    rows = sum(counts.values())
    if task is None and len(by_key) > max(MOST_NUMBERED, MOST_CLASSES * rows):
        raise DataError(f"target {cells.name} holds {len(by_key):,} different texts in {rows:,} rows, which are names "
                        "rather than classes; name another column with --target.")
    names = {key: max(spelled, key=lambda text: spelled[text]) for key, spelled in by_key.items()}
    order = sorted(names, key=_order(names))
    ids = {text: float(order.index(keys[text])) for text in counts if text not in blank}
    codes = cells.replace_strict(ids, default=None, return_dtype=pl.Float64)
    spellings = [Spellings(column=cells.name, meaning=names[key], counts=spelled, blank=False, merged=True)
                 for key, spelled in by_key.items() if len(spelled) > 1]
    if blank:
        spellings.append(Spellings(column=cells.name, meaning="unknown", counts=blank, blank=True, merged=True))
    target = _classes(cells.name, codes.fill_null(0.0).to_numpy(), known=codes.is_not_null().to_numpy(),
                      names=tuple(names[key] for key in order))
    return replace(target, spellings=tuple(spellings))


def _key(text: str) -> str:
    """What stays the same however a class is spelled: no case, no blanks, no full stop at the end."""
    return re.sub(r"[\s_\-]+", " ", text.casefold()).strip().rstrip(".").rstrip() or text


def _yes_and_no(keys: dict[str, str]) -> dict[str, str]:
    """Yes, y, true and 1 are one class where all classes are of this kind."""
    known = {key for key in keys.values() if key not in UNKNOWN}
    if len(known) <= 2 or not known <= {*YES, *NO}:
        return keys
    return {text: "yes" if key in YES else "no" if key in NO else key for text, key in keys.items()}


def _order(names: dict[str, str]) -> Any:
    """Numbers by size, words by the alphabet."""
    def numeric(text: str) -> float | None:
        try:
            return float(text)
        except ValueError:
            return None

    if all(numeric(text) is not None for text in names.values()):
        return lambda key: (numeric(names[key]), names[key])
    return lambda key: (names[key].casefold(), names[key])
