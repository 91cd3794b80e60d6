"""A run's folder: documents written whole or not at all, and the ledger of what happened in it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from assay.errors import RunFolderError


def write_document(path: Path, text: str) -> None:
    """Write text (UTF-8) so that a reader, or a machine that loses power, finds the old document or the new one.

    Raises RunFolderError where the file can't be written.
    """
    write_bytes(path, text.encode("utf-8", "surrogateescape"))


def write_bytes(path: Path, data: bytes) -> None:
    """The same for bytes: a temporary file beside it, fsync, rename, fsync of the folder."""
    part = path.parent / f".{path.name}.{secrets.token_hex(4)}.part"
    try:
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as fault:
        why = fault.strerror or fault
        raise RunFolderError(f"{path} can't be written ({why}): choose a place that you may write to.") from fault


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
