"""A run's folder: making one that is nobody else's, opening one that exists, and keeping it to one process.

The ledger makes a folder a run's: the first line, written when the folder is made, says which format it has.
"""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import metadata
from itertools import count
from pathlib import Path

from assay.errors import RunFolderError
from assay.ledger import Ledger
from assay.writing import sync_folder

FORMAT = 1
"""The version of the folder's layout; it stands in the first line of the ledger."""

LEDGER = "ledger.jsonl"


def new_run_folder(root: Path, stem: str) -> Path:
    """Make root/STEM-001, or the next number that is free, and start its ledger.

    Two processes that ask at once get two folders. Raises RunFolderError where it can't be made.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = _first_free(root, stem, max(_numbers(root, stem), default=0) + 1)
        sync_folder(root)
    except OSError as fault:
        raise RunFolderError(
            f"No run's folder can be made in {root} ({fault.strerror or fault}): choose a place that you may write to.",
        ) from fault
    Ledger(folder / LEDGER).append("made", format=FORMAT, assay=metadata.version("assay"))
    return folder


def _numbers(root: Path, stem: str) -> Iterator[int]:
    for path in root.iterdir():
        found = re.fullmatch(rf"{re.escape(stem)}-(\d+)", path.name)
        if found:
            yield int(found[1])


def _first_free(root: Path, stem: str, start: int) -> Path:
    for number in count(start):
        folder = root / f"{stem}-{number:03d}"
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise AssertionError("count() has no end")


def open_run(folder: Path) -> Ledger:
    """The ledger of a run that exists.

    Raises RunFolderError where the folder is none of a run, was written by a newer assay, or has an altered ledger.
    """
    ledger = Ledger(folder / LEDGER)
    if not folder.exists():
        raise RunFolderError(f"There is no run at {folder}: `assay run RECIPE` makes one, and says where.")
    if not ledger.path.is_file():
        raise RunFolderError(f"{folder} is no run's folder, it holds no {LEDGER}: name a folder that `assay run` made.")
    _refuse_other_format(folder)
    ledger.entries()
    return ledger


def _refuse_other_format(folder: Path) -> None:
    """Look at the first line alone: what follows it may be in a form that only another version can read."""
    with (folder / LEDGER).open("rb") as file:
        line = file.readline()
    try:
        payload = json.loads(line)["payload"]
        written, version = int(payload["format"]), str(payload["assay"])
    except (ValueError, TypeError, KeyError, RecursionError) as fault:
        raise RunFolderError(
            f"{folder} holds a run whose ledger doesn't begin as one: start a new one with `assay run RECIPE`.",
        ) from fault
    if written != FORMAT:
        raise RunFolderError(
            f"{folder} was written by assay {version} in format {written}, and this assay "
            f"({metadata.version('assay')}) knows format {FORMAT}: go on with the version that wrote it.",
        )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a run to this process; the system releases the lock when the process ends, however it ends.

    Raises RunFolderError where another process holds it, or this one may not write to the run.
    """
    with ExitStack() as held:
        try:
            file = held.enter_context((folder / LEDGER).open("ab"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            raise RunFolderError(
                f"Another process is climbing {folder}: wait until it has ended, or stop it.",
            ) from fault
        except OSError as fault:
            raise RunFolderError(
                f"{folder} can't be kept to one process ({fault.strerror or fault}): it must be writable, "
                f"on a file system that has locks.",
            ) from fault
        yield
