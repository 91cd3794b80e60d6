"""Writing that survives: documents whole or not at all, and a ledger that shows if it was altered.

A ledger is a file of JSON lines, one an event. Each line carries the checksum of the line before it and its own, so
that a line that was altered, taken out or put in is found. A chain can't show that lines are missing at its end.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.errors import RunFolderError
from assay.facts.plain import plain
from assay.writing import replace_file, sync_folder

START = "0" * 64
"""Stands for the checksum before the first line."""


def write_document(path: Path, text: str) -> None:
    """Write text (UTF-8) so that a reader, or a machine that loses power, finds the old document or the new one.

    Raises RunFolderError where the file can't be written.
    """
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: Path, data: bytes) -> None:
    """The same for bytes. A device or a pipe is written to as it is, and a link's target is what is replaced."""
    meant = Path(os.path.realpath(path))
    try:
        if meant.exists() and not meant.is_file() and not meant.is_dir():
            meant.write_bytes(data)  # renaming over it would destroy it
        else:
            replace_file(meant, data)
    except BrokenPipeError:
        raise
    except OSError as fault:
        why = fault.strerror or fault
        raise RunFolderError(f"{path} can't be written ({why}): choose a place that you may write to.") from fault


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of a ledger; `at` is the time of its writing in UTC, as ISO 8601."""

    event: str
    at: str
    payload: Mapping[str, Any]
    before: str

    @property
    def checksum(self) -> str:
        """SHA-256 over everything in the line, the checksum of the line before included."""
        return hashlib.sha256(json.dumps(self._stated(), sort_keys=True).encode()).hexdigest()

    def line(self) -> bytes:
        """The line as written, its newline included."""
        return json.dumps({**self._stated(), "checksum": self.checksum}).encode() + b"\n"

    def _stated(self) -> dict[str, Any]:
        return {"event": self.event, "at": self.at, "payload": self.payload, "before": self.before}


@dataclass(frozen=True)
class _Reading:
    """What a ledger's file holds: its whole lines, their length in bytes, and whether a torn one follows them."""

    entries: tuple[Entry, ...]
    size: int
    torn: bool


class Ledger:
    """The events of one run, written by one process at a time (see `run_folder.locked`)."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: str, /, **payload: object) -> Entry:
        """Add an event; it is on the disk when this returns.

        A line that an earlier process left half-written is cut away first, and that is an event too.
        Raises RunFolderError where the ledger is altered or can't be written.
        """
        found = self._read()
        if found.torn:
            found = self._cut_back(found)
        return self._add(found, event, payload)

    def entries(self) -> tuple[Entry, ...]:
        """All events in order, without a line that was left half-written (`torn` tells).

        Raises RunFolderError with the number of the first line that doesn't fit to the one before.
        """
        return self._read().entries

    @property
    def torn(self) -> bool:
        """Whether the last line was left half-written, so that it doesn't count."""
        return self._read().torn

    def _add(self, found: _Reading, event: str, payload: Mapping[str, object]) -> Entry:
        before = found.entries[-1].checksum if found.entries else START
        values: dict[str, Any] = {name: plain(value) for name, value in payload.items()}
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Entry(event=event, at=now, payload=values, before=before)
        try:
            with self.path.open("ab") as file:
                file.write(entry.line())
                file.flush()
                os.fsync(file.fileno())
            if not found.entries:
                sync_folder(self.path.parent)
        except OSError as fault:
            raise RunFolderError(
                f"{self.path} can't be written ({fault.strerror or fault}): make room or give the rights, and go on.",
            ) from fault
        return entry

    def _cut_back(self, found: _Reading) -> _Reading:
        try:
            os.truncate(self.path, found.size)
        except OSError as fault:
            raise RunFolderError(
                f"{self.path} ends in half a line that can't be cut away ({fault.strerror or fault}).",
            ) from fault
        entry = self._add(found, "torn-line-dropped", {"after_line": len(found.entries)})
        return _Reading((*found.entries, entry), found.size + len(entry.line()), torn=False)

    def _read(self) -> _Reading:
        try:
            text = self.path.read_bytes() if self.path.exists() else b""
        except OSError as fault:
            raise RunFolderError(f"{self.path} can't be read ({fault.strerror or fault}).") from fault
        entries: list[Entry] = []
        size, before = 0, START
        lines = text.splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            parsed = _parse(line)
            if parsed is None and number == len(lines):
                return _Reading(tuple(entries), size, torn=True)
            if parsed is None or parsed[0].before != before or parsed[0].checksum != parsed[1]:
                raise RunFolderError(
                    f"{self.path}, line {number}: it was altered, or a line before it is missing; what follows "
                    f"can't be trusted, so start a new run.",
                )
            entries.append(parsed[0])
            size, before = size + len(line), parsed[1]
        return _Reading(tuple(entries), size, torn=False)


def _parse(line: bytes) -> tuple[Entry, str] | None:
    """The entry and the checksum that stands in its line; None where the line is no whole one."""
    if not line.endswith(b"\n"):
        return None
    try:
        stated = json.loads(line)
        checksum = stated.pop("checksum")
        return Entry(**stated), str(checksum)
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError):
        return None
