"""Parquet to cells."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.errors import DataError

MAGIC = b"PAR1"


def read_parquet(path: Path, *, name: str) -> pl.DataFrame:
    """The columns with their own types; text without blanks around it, and null where there is none.

    Raises DataError where the file is no sound Parquet file, or holds no rows.
    """
    with path.open("rb") as file:
        head = file.read(4)
        file.seek(-4, 2)
        tail = file.read(4)
    if head != MAGIC or tail != MAGIC:
        raise DataError(f"{name} is a broken Parquet file: its end is missing; copy or write it again.")
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as fault:
        said = str(fault).splitlines()[0][:120] if str(fault) else type(fault).__name__
        raise DataError(f"{name} can't be read as Parquet ({said}); write it again.") from None
    if frame.height == 0:
        raise DataError(f"{name} has columns and no rows; give rows to learn from.")
    text = [pl.col(column).cast(pl.String).str.strip_chars() for column, kind in frame.schema.items()
            if kind in (pl.String, pl.Categorical, pl.Enum)]
    frame = frame.with_columns(text)
    blank = [pl.when(pl.col(column).str.len_bytes() > 0).then(pl.col(column)) for column, kind in frame.schema.items()
             if kind == pl.String]
    return frame.with_columns(blank)
