"""A run's checkpoints: best, last and previous, each a file of its own with its digest beside it.

They are plain files that torch.load(weights_only=True) reads. `best.ckpt.sha256` and its like hold lines in the form
of sha256sum, the newest first; the digest is written before the file, so that a crash between the two leaves the older
file with its older line.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from assay.errors import RunFolderError
from assay.writing import sync_folder

NAMES = ("best", "last", "previous")
VERSION = 1
"""Of what a checkpoint holds; a reader refuses any other."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """The newest checkpoint that is whole; `notes` says which newer ones are not."""

    content: Mapping[str, Any]
    path: Path
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CheckpointFolder:
    """The folder that holds one run's checkpoints; it is made when the first is saved."""

    folder: Path

    def path(self, name: str) -> Path:
        """Where the checkpoint of this name is, or would be."""
        return self.folder / f"{name}.ckpt"

    def existing(self) -> dict[str, Path]:
        """The checkpoints that are there, by name."""
        return {name: self.path(name) for name in NAMES if self.path(name).is_file()}

    def save(self, content: Mapping[str, Any], *, names: tuple[str, ...]) -> None:
        """Write the same content under each name; the last that was there before becomes previous."""
        buffer = io.BytesIO()
        torch.save({"version": VERSION, **content}, buffer)
        data = buffer.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        files: dict[str, bytes] = {}
        for name in names:
            files[_digest_path(self.path(name)).name] = self._digests(name, digest)
            files[self.path(name).name] = data
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _replace_all(self.folder, files, before=self._keep_previous if "last" in names else None)
        except OSError as fault:
            raise RunFolderError(
                f"{self.folder} can't be written ({fault.strerror or fault}): make room, or choose another place."
            ) from fault

    def newest(self, usable: Callable[[Mapping[str, Any]], bool] = lambda content: True) -> Found | None:  # noqa: ARG005
        """The last checkpoint, or the one before it where that is damaged or not usable; None where there is none.

        Raises RunFolderError where checkpoints are there but none of them is whole.
        """
        damaged: list[str] = []
        whole = 0
        for name in ("last", "previous"):
            path = self.path(name)
            if not path.is_file():
                continue
            if not self._is_whole(path):
                damaged.append(path.name)
                continue
            content, whole = read_checkpoint(path), whole + 1
            if usable(content):
                notes = tuple(f"{each} is damaged; training goes on from {path.name}." for each in damaged)
                return Found(content=content, path=path, notes=notes)
        if damaged and not whole:
            raise RunFolderError(
                f"{self.folder} holds no checkpoint that is whole ({', '.join(damaged)} damaged): remove the run's "
                "folder to train it anew."
            )
        return None

    def clear(self) -> None:
        """Remove every checkpoint: a run that starts anew must not be taken for the one before it."""
        for name in NAMES:
            self.path(name).unlink(missing_ok=True)
            _digest_path(self.path(name)).unlink(missing_ok=True)

    def _keep_previous(self) -> None:
        for part in (Path("last.ckpt.sha256"), Path("last.ckpt")):
            if (self.folder / part).is_file():
                (self.folder / part).replace(self.folder / part.name.replace("last", "previous"))

    def _digests(self, name: str, digest: str) -> bytes:
        path, digests = self.path(name), _digest_path(self.path(name))
        replaced = path.is_file() and digests.is_file() and name != "last"
        before = digests.read_text().splitlines()[:1] if replaced else []
        return ("\n".join([f"{digest}  {path.name}", *before]) + "\n").encode()

    def _is_whole(self, path: Path) -> bool:
        # a crash may fall between the two renames that make last the previous one, so either's line will do
        known = {
            line.split()[0]
            for file in self.folder.glob("*.ckpt.sha256")
            for line in file.read_text("ascii", "replace").splitlines() if line.strip()
        }
        return hashlib.sha256(path.read_bytes()).hexdigest() in known


def read_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds, on the CPU: `state_dict`, `random`, `progress` and the state of the training loop.

    Raises RunFolderError where it can't be read, or another version of assay wrote it.
    """
    try:
        content: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as fault:
        raise RunFolderError(f"{path} isn't there: train the run first.") from fault
    except Exception as fault:  # torch raises whatever the damage leads to
        raise RunFolderError(f"{path} can't be read as a checkpoint ({fault}): it may be damaged.") from fault
    version = content.get("version") if isinstance(content, dict) else None
    if version != VERSION:
        raise RunFolderError(
            f"{path} has version {version} where this assay reads {VERSION}: go on with the assay that wrote it."
        )
    return content


def _digest_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _replace_all(folder: Path, files: Mapping[str, bytes], *, before: Callable[[], None] | None) -> None:
    """Write these files beside their places, each synced, then rename them in order, then sync the folder once.

    before      called when all are written and none is renamed yet
    """
    parts = {name: folder / f".{name}.part" for name in files}
    try:
        for name, data in files.items():
            with parts[name].open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        if before is not None:
            before()
        for name, part in parts.items():
            part.replace(folder / name)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    sync_folder(folder)
