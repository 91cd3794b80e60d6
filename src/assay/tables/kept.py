"""A table as read, kept in a file, so that a large one is parsed once.

The file is named for the digest of everything that decides what is read: the bytes of the table's files, how the recipe
reads them, and assay's version. So it is never stale; a change of any of these reads the files anew, under another
name. It holds arrays and plain text alone, and reading it executes nothing.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from assay.dataset import Dataset
from assay.errors import DataError, RunFolderError
from assay.facts.encoding import from_plain, to_plain
from assay.facts.fact_set import FactSet
from assay.facts.task import TaskKind
from assay.ledger import write_bytes
from assay.recipe.schema import TableData
from assay.tables.files import digest_of
from assay.tables.reading import read_table

ARRAYS = ("x", "y", "groups", "times", "given")
STATED = ("split", "scale", "identical_rows", "cache", "rows", "columns", "classes", "class_counts", "target_variance",
          "fingerprint")
"""What a data block says that doesn't decide what is read."""


def kept_table(data: TableData, *, folder: Path, task: TaskKind | None) -> Dataset:
    """The table that a recipe in `folder` names, from `data.cache` where it is kept there, else read and kept.

    A kept file that is damaged is written anew. Raises DataError as `read_table` does, and where the cache's folder
    can't be written.
    """
    assert data.cache is not None
    try:
        path = folder / data.cache / f"{_key(data, folder, task)}.npz"
    except OSError:  # a file that can't be read is told by whoever reads it
        return read_table(data, folder=folder, task=task)
    found = _read(path) if path.is_file() else None
    if found is not None:
        return found
    dataset = read_table(data, folder=folder, task=task)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, _content(dataset))
    except (OSError, RunFolderError) as fault:
        raise DataError(
            f"data.cache: {path.parent} can't be written: choose a folder of yours, or leave it out.",
        ) from fault
    return dataset


def _key(data: TableData, folder: Path, task: TaskKind | None) -> str:
    listed = [*data.files, *([data.test_file] if data.test_file else [])]
    told = data.model_dump(mode="json", exclude=set(STATED))
    decides = [digest_of(folder / name for name in listed), told, task, metadata.version("assay")]
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def _content(dataset: Dataset) -> bytes:
    arrays = {name: getattr(dataset, name) for name in ARRAYS if getattr(dataset, name) is not None}
    told = {
        "name": dataset.name, "task": dataset.task, "columns": dataset.columns, "classes": dataset.classes,
        "kinds": dataset.kinds, "categories": dataset.categories, "image": dataset.image, "digest": dataset.digest,
        "known": [[type(fact).__name__, to_plain(fact)] for fact in dataset.known],
    }
    buffer = io.BytesIO()
    np.savez(buffer, told=np.frombuffer(json.dumps(told).encode(), dtype=np.uint8), **arrays)
    return buffer.getvalue()


def _read(path: Path) -> Dataset | None:
    """What is kept in this file, None where it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as held:
            told: dict[str, Any] = json.loads(held["told"].tobytes())
            arrays: dict[str, Any] = {name: held[name] for name in ARRAYS if name in held}
        image = told["image"]
        return Dataset(
            name=told["name"], task=told["task"], columns=tuple(told["columns"]), classes=tuple(told["classes"]),
            kinds=tuple(told["kinds"]), image=tuple(image) if image else None, digest=told["digest"],
            categories={column: tuple(names) for column, names in told["categories"].items()},
            known=FactSet.of(*(from_plain(kind, value) for kind, value in told["known"])), **arrays,
        )
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, RunFolderError):
        return None
