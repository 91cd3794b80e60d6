"""A table's cells as they stand in its files, before anything is read into them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.facts.table import PartDifference, Spellings


@dataclass(frozen=True, kw_only=True)
class RawTable:
    """Cells by column.

    name            of the table, after its first file
    cells           one column each: text without blanks around it (null where there is none), or Parquet's own types
    parts           the file that each row stands in, as an index into `files`, int64 [rows]
    test_part       the index of the file that is the given test part; None without one
    delimiter, encoding     of the first text file; None for Parquet
    first_row_is_data       whether the header looks like a row of data
    differences     between the files, as far as their columns go
    padded          values with and without blanks around them, which were taken off
    digest          SHA-256 over the files' bytes
    """

    name: str
    files: tuple[str, ...]
    cells: pl.DataFrame
    parts: NDArray[np.int64]
    test_part: int | None = None
    delimiter: str | None = None
    encoding: str | None = None
    first_row_is_data: bool = False
    differences: tuple[PartDifference, ...] = ()
    padded: tuple[Spellings, ...] = ()
    digest: str = ""

    def kept(self, rows: NDArray[np.bool_]) -> RawTable:
        """The same with these rows alone."""
        return replace(self, cells=self.cells.filter(pl.Series(rows)), parts=self.parts[rows])
