"""The test set's seal: which rows it closes, and the two places where every opening is written down.

An opening stands in the run's ledger and in a list that belongs to the user, so that another run's folder doesn't hide
it. It is written before anything is scored. It is a seal, not a lock.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.dataset import Dataset, Split
from assay.errors import RunFolderError
from assay.facts.seal import Opening, SealFacts
from assay.ledger import Ledger

OPENED = "test-opened"
"""The ledger's event; its payload is that of a `Look`, with the digests of the weights that were to be scored."""

DIGITS = 16
"""Hexadecimal digits of a digest that are kept: two columns agree by chance once in 2^64."""


@dataclass(frozen=True, kw_only=True)
class SealedRows:
    """What test rows are recognised by: digests of their targets, and of each input column by name."""

    count: int
    targets: str
    columns: Mapping[str, str]

    def same_as(self, other: SealedRows) -> bool:
        """The same rows: equal targets in the same order, and an input column in common.

        A column that was left out or read in another way changes nothing.
        """
        return self.targets == other.targets and any(
            other.columns.get(name) == digest for name, digest in self.columns.items()
        )


@dataclass(frozen=True, kw_only=True)
class Look:
    """One opening as it is written down.

    look        a name of its own, the same in both places
    at          UTC, ISO 8601
    run         what tells the run from others wherever its folder lies: the checksum of its first entry with a recipe
    folder      where the run lay then
    why         the reason for a further look
    """

    look: str
    at: str
    run: str
    folder: str
    rows: SealedRows
    why: str | None = None


def sealed_rows(dataset: Dataset, split: Split) -> SealedRows:
    """What the test rows of this data set are recognised by."""
    rows = split.test
    return SealedRows(
        count=len(rows), targets=_digest(dataset.y[rows]),
        columns={name: _digest(dataset.x[rows, number]) for number, name in enumerate(dataset.columns)},
    )


def seal_facts(ledger: Ledger, user_file: UserFile, *, run: str, rows: SealedRows) -> SealFacts:
    """Every earlier look at these rows, from both places. Raises RunFolderError where one of them can't be read."""
    own = {look.look: look for look in looks_of(ledger)}
    listed = {look.look: look for look in user_file.looks() if look.run == run or look.rows.same_as(rows)}
    chosen = [entry.at for entry in ledger.entries() if entry.event == "stage" and entry.payload["stage"] != "test"]
    settled = max(chosen, default="")
    return SealFacts(rows=rows.count, earlier=tuple(
        Opening(
            at=look.at, run=look.folder, own=look.run == run, before_choices=look.at < settled,
            in_ledger=look.look in own if look.run == run else None, in_user_file=look.look in listed, why=look.why,
        )
        for look in sorted({**listed, **own}.values(), key=lambda look: look.at)
    ))


def looks_of(ledger: Ledger) -> tuple[Look, ...]:
    """The openings that stand in a run's ledger, in order. Raises RunFolderError where one can't be read."""
    try:
        return tuple(look_of(entry.payload) for entry in ledger.entries() if entry.event == OPENED)
    except ValueError as fault:
        raise RunFolderError(
            f"{ledger.path} holds an opening that can't be read ({fault}): start a new run."
        ) from fault


def look_of(payload: Mapping[str, Any]) -> Look:
    """The look that was written down so. Raises ValueError where this is none."""
    try:
        stated = dict(payload)
        rows: Any = stated["rows"]
        named = {name: stated.get(name) for name in ("look", "at", "run", "folder")}
        if not all(isinstance(value, str) for value in named.values()):
            raise TypeError("a name is missing")  # noqa: TRY301  # told as one kind of fault
        why = stated.get("why")
        return Look(
            **{name: str(value) for name, value in named.items()}, why=None if why is None else str(why),
            rows=SealedRows(count=int(rows["count"]), targets=str(rows["targets"]), columns=dict(rows["columns"])),
        )
    except (KeyError, TypeError, ValueError) as fault:
        raise ValueError(f"no opening: {fault}") from fault


@dataclass(frozen=True)
class UserFile:
    """The user's list of openings: a file of JSON lines, one a look, that every run of the user adds to."""

    path: Path

    def looks(self) -> tuple[Look, ...]:
        """All of them in order. A last line that was left half-written doesn't count.

        Raises RunFolderError where the file can't be read, naming the line.
        """
        try:
            lines = self.path.read_bytes().splitlines(keepends=True) if self.path.exists() else []
        except OSError as fault:
            raise RunFolderError(
                f"The list of openings {self.path} can't be read ({fault.strerror or fault}): give the rights."
            ) from fault
        return tuple(self._parsed(lines))

    def make_writable(self) -> None:
        """Make the file where it is missing, and see that it can be added to. Raises RunFolderError."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab"):
                pass
        except OSError as fault:
            raise RunFolderError(
                f"The list of openings {self.path} can't be written ({fault.strerror or fault}), so the test set stays "
                "closed: give the rights, or set XDG_DATA_HOME to a folder of yours that lasts."
            ) from fault

    def add(self, look: Look) -> None:
        """Add a look, unless it stands there; it is on the disk when this returns. Raises RunFolderError."""
        self.make_writable()
        if look.look in {each.look for each in self.looks()}:
            return
        try:
            with self.path.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                whole = file.read()
                file.truncate(whole.rfind(b"\n") + 1)  # a line that was left half-written is cut away
                file.seek(0, os.SEEK_END)
                file.write(json.dumps(asdict(look)).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as fault:
            raise RunFolderError(
                f"The list of openings {self.path} can't be written ({fault.strerror or fault}): make room, and go on."
            ) from fault

    def _parsed(self, lines: list[bytes]) -> Iterator[Look]:
        for number, line in enumerate(lines, 1):
            try:
                yield look_of(json.loads(line))
            except (ValueError, RecursionError) as fault:
                if number < len(lines) or line.endswith(b"\n"):
                    raise RunFolderError(
                        f"{self.path}, line {number}: this is no opening ({fault}); the list is damaged. Mend the "
                        "line, or take it out if nothing of it can be saved."
                    ) from fault


def _digest(values: np.ndarray) -> str:
    plain = np.array(values, dtype=np.float64) + 0.0  # turns -0.0 into 0.0
    plain[np.isnan(plain)] = np.nan  # one pattern of bits for every NaN
    return hashlib.sha256(np.ascontiguousarray(plain).tobytes()).hexdigest()[:DIGITS]
