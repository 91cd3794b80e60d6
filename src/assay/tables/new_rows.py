"""New rows for a model that exists: the columns that it was trained on, read as they were read then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.dataset import ColumnKind, Dataset
from assay.errors import DataError
from assay.facts.table import Reading
from assay.facts.task import TaskKind
from assay.recipe.nearest import did_you_mean
from assay.recipe.schema import TableData
from assay.tables.columns import Column, Conventions, read_column
from assay.tables.files import read_files
from assay.tables.numbers import tells_comma
from assay.tables.raw import RawTable

MOST_LISTED = 12
"""Column names that a sentence lists."""


@dataclass(frozen=True, kw_only=True)
class NewRows:
    """Rows without targets.

    dataset     their inputs; its targets are zeros that mean nothing
    cells       all columns as they stand in the file
    readings    of values that needed one, those that can't be read and count as missing among them
    """

    dataset: Dataset
    cells: pl.DataFrame
    readings: tuple[Reading, ...]

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that the model doesn't know."""
        return tuple(name for name in self.cells.columns if name not in self.dataset.columns)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a model needs to be given.

    kinds       of its input columns, by name
    data        how the table that it was trained on was read
    width       columns that a table without a header had in all; None where there was a header
    """

    kinds: Mapping[str, ColumnKind]
    task: TaskKind
    data: TableData
    width: int | None = None


def read_new_file(path: Path, wanted: Wanted) -> NewRows:
    """The rows of a file, every one of them.

    Raises DataError, one sentence, where it can't be read or lacks a column.
    """
    data = wanted.data.model_copy(update={"files": (str(path),), "test_file": None})
    raw = read_files(data, folder=Path())
    if wanted.width is not None and raw.cells.width != wanted.width:
        named = read_files(data.model_copy(update={"header": True}), folder=Path())
        if not {*wanted.kinds} <= {*named.cells.columns}:
            raise DataError(
                f"{path} has {raw.cells.width} columns where the table without a header that the model was trained on "
                f"had {wanted.width}, so which is which isn't certain: give all of them (the target may be empty), or "
                f"name them in a first line: {', '.join(_first(list(wanted.kinds)))}."
            )
        raw = named
    return read_new_cells(raw, wanted)


def read_new_values(values: Any, wanted: Wanted) -> NewRows:
    """The rows of a table in memory: a polars or pandas frame, or a mapping of columns.

    Raises DataError where it is no table or lacks a column.
    """
    try:
        frame = values if isinstance(values, pl.DataFrame) else pl.DataFrame(
            {str(name): pl.Series(str(name), list(values[name]), strict=False)
             for name in (values.columns if hasattr(values, "columns") else values)}
        )
    except (TypeError, ValueError, KeyError, pl.exceptions.PolarsError) as fault:
        raise DataError(
            f"a {type(values).__name__} is no table that can be predicted for ({fault}): give a file's name, a frame, "
            "a mapping of columns, or an array."
        ) from fault
    text = pl.col(pl.String).str.strip_chars()
    cells = frame.with_columns(pl.when(text.str.len_bytes() > 0).then(text))
    return read_new_cells(RawTable(name="the table", files=("the table",), cells=cells, parts=_zeros(cells)), wanted)


def read_new_cells(raw: RawTable, wanted: Wanted) -> NewRows:
    """The same from cells that were taken from a file already. Raises DataError."""
    _refuse_missing(raw, wanted)
    votes = [tells_comma(column) for column in raw.cells if column.dtype == pl.String]
    comma = sum(vote is True for vote in votes) > sum(vote is False for vote in votes)
    conventions = Conventions.of(wanted.data, comma=comma)
    columns = [read_column(raw.cells[name], conventions, asked=kind) for name, kind in wanted.kinds.items()]
    _refuse_ambiguous(columns, wanted)
    read = list(_read(columns, wanted.kinds))
    dataset = Dataset(
        name=raw.files[0], task=wanted.task, x=np.stack([values for values, _ in read], axis=1),
        y=np.zeros(raw.cells.height), columns=tuple(wanted.kinds), classes=(), kinds=tuple(wanted.kinds.values()),
        categories={name: names for name, (_, names) in zip(wanted.kinds, read, strict=True) if names is not None},
    )
    readings = tuple(each for column in columns for each in column.readings)
    return NewRows(dataset=dataset, cells=raw.cells, readings=readings)


def read_new_array(x: np.ndarray, wanted: Wanted) -> NewRows:
    """The rows of an array [n, columns] of numbers, in the order of the model's columns; NaN where one is missing.

    Raises DataError where it has another shape, or the model knows columns that are no numbers.
    """
    other = [name for name, kind in wanted.kinds.items() if kind != "number"]
    if other:
        raise DataError(f"the column {other[0]} is no number, so an array can't hold it: give a frame or a mapping.")
    if x.ndim != 2 or x.shape[1] != len(wanted.kinds) or x.dtype.kind not in "fiub":
        raise DataError(
            f"an array of shape {list(x.shape)} and type {x.dtype} was given where numbers of shape "
            f"[n, {len(wanted.kinds)}] are needed: one row an example, one column each for "
            f"{', '.join(_first(list(wanted.kinds)))}."
        )
    values = x.astype(np.float64)
    dataset = Dataset(
        name="the array", task=wanted.task, x=values, y=np.zeros(len(x)), columns=tuple(wanted.kinds), classes=(),
        kinds=tuple(wanted.kinds.values()),
    )
    return NewRows(dataset=dataset, cells=pl.DataFrame(values, schema=list(wanted.kinds)), readings=())


def _refuse_missing(raw: RawTable, wanted: Wanted) -> None:
    missing = [name for name in wanted.kinds if name not in raw.cells.columns]
    if not missing:
        return
    hint = did_you_mean(missing[0], raw.cells.columns) if len(missing) == 1 else ""
    if "mean" not in hint:
        hint = f"; its columns are {', '.join(_first(raw.cells.columns))}."
    said = f"column {missing[0]!r}" if len(missing) == 1 else f"columns {', '.join(_first(missing))}"
    raise DataError(f"{raw.files[0]} has no {said}, which the model was trained on{hint}")


def _refuse_ambiguous(columns: Sequence[Column], wanted: Wanted) -> None:
    """A few new dates needn't tell what the many of the training table told."""
    for column in columns:
        if column.ambiguous and wanted.data.day_first is None:
            raise DataError(
                f"the dates in {column.name} could have day and month the other way round, and the recipe doesn't say "
                "which comes first (data.day_first): write them as year-month-day."
            )


def _read(
    columns: Sequence[Column], kinds: Mapping[str, ColumnKind],
) -> Iterator[tuple[np.ndarray, tuple[str, ...] | None]]:
    """Each column's values, float64 with NaN where missing, and the names of its codes."""
    for column, kind in zip(columns, kinds.values(), strict=True):
        if kind != "category":
            numbers = column if column.values.dtype == pl.Float64 else replace(column, values=_nothing(column))
            yield numbers.values.fill_null(float("nan")).to_numpy(), None
            continue
        words = column.values.cast(pl.String)
        names = sorted(words.drop_nulls().unique())
        codes = words.cast(pl.Enum(names)).to_physical().cast(pl.Float64)
        yield codes.fill_null(float("nan")).to_numpy(), tuple(names)


def _nothing(column: Column) -> pl.Series:
    if column.values.null_count() == len(column.values):
        return pl.Series(column.name, [None] * len(column.values), dtype=pl.Float64)
    raise DataError(f"the column {column.name} holds {column.why}, where the model was trained on numbers.")


def _zeros(cells: pl.DataFrame) -> np.ndarray:
    return np.zeros(cells.height, dtype=np.int64)


def _first(names: Sequence[str]) -> list[str]:
    more = [f"and {len(names) - MOST_LISTED} more"] if len(names) > MOST_LISTED else []
    return [*names[:MOST_LISTED], *more]
