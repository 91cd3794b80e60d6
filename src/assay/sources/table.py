"""People's own tables: CSV, TSV and Parquet files.

## What one example is
A row that has a target. Totals, repeated headers and rows without a target are no examples, and are named.

## Where it is read from
The files that the recipe names, relative to its folder, every time.

## What can repeat
Rows: equal inputs are kept in one split unless the recipe says otherwise. People, places and sessions too, which the
recipe names as `group`.

## Licence
Their owner's.
"""

from __future__ import annotations

from pathlib import Path

from assay.dataset import Dataset
from assay.errors import DataError
from assay.facts.task import TaskKind
from assay.recipe.schema import TableData
from assay.tables.kept import kept_table
from assay.tables.reading import read_table


def names() -> tuple[str, ...]:
    """None: a table is named by its files."""
    return ()


def read(name: str) -> Dataset:
    """Nothing can be read by a name alone. Raises DataError."""
    raise DataError(f"data.name {name} names no files; add `files:` and `target:` to a data block of source table.")


def read_files(data: TableData, *, folder: Path, task: TaskKind | None) -> Dataset:
    """The table that a recipe in `folder` names, from its cache if it has one. Raises DataError."""
    read = read_table if data.cache is None else kept_table
    return read(data, folder=folder, task=task)
