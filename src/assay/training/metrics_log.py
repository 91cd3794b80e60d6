"""metrics.csv and timings.csv: numbers appended row by row, cut back when a run is resumed.

Numbers are written in the shortest form that reads back as the same number, so files compare bit for bit.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.errors import RunFolderError
from assay.ledger import write_document


class CsvLog:
    """A table that only grows. Each row is handed to the system as soon as it is appended."""

    def __init__(self, path: Path, columns: Sequence[str], *, keep: int = 0) -> None:
        """Start a new table, or go on after the first `keep` rows of the one that is there.

        Raises RunFolderError where it can't be written or holds fewer rows.
        """
        self.path, self.columns, self.rows = path, list(columns), keep
        self._write_start(self._kept(keep) if keep else [])
        self._file = path.open("a", encoding="utf-8", newline="")

    def append(self, row: Mapping[str, float]) -> None:
        """One row; what it doesn't name stays empty, and what the table doesn't have yet becomes a new column."""
        new = [name for name in row if name not in self.columns]
        if new:
            self._widen(new)
        self._file.write(_line([_shown(row.get(name)) for name in self.columns]))
        self._file.flush()
        self.rows += 1

    def sync(self) -> None:
        """Make what was written survive a loss of power."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Nothing can be appended any more."""
        self._file.close()

    def _widen(self, new: Sequence[str]) -> None:
        self._file.close()
        rows = self._kept(self.rows)
        self.columns += new
        self._write_start([row + [""] * len(new) for row in rows])
        self._file = self.path.open("a", encoding="utf-8", newline="")

    def _write_start(self, rows: Sequence[Sequence[str]]) -> None:
        write_document(self.path, "".join(_line(cells) for cells in (self.columns, *rows)))

    def _kept(self, keep: int) -> list[list[str]]:
        """The cells of the first `keep` rows; their columns become the table's."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        except OSError as fault:
            raise RunFolderError(f"{self.path} can't be read ({fault.strerror}), so the run can't go on.") from fault
        whole = [line.rstrip("\n") for line in lines if line.endswith("\n")]
        if len(whole) < keep + 1:
            raise RunFolderError(
                f"{self.path} holds {max(0, len(whole) - 1)} rows where its checkpoint was saved after {keep}; "
                "remove this run's folder to train it anew."
            )
        self.columns = whole[0].split(",")
        return [line.split(",") for line in whole[1 : keep + 1]]


def read_log(path: Path) -> tuple[dict[str, float], ...]:
    """The rows of such a file, each without its empty cells; whole numbers are int."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple({name: _number(cell) for name, cell in row.items() if cell} for row in rows)


def _line(cells: Sequence[str]) -> str:
    return ",".join(cells) + "\n"


def _shown(value: float | None) -> str:
    return "" if value is None else repr(value)


def _number(cell: str) -> float:
    return int(cell) if cell.lstrip("-").isdigit() else float(cell)
