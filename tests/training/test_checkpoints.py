from __future__ import annotations

import contextlib
import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch

from assay.errors import RunFolderError
from assay.training import checkpoints as subject
from assay.training.checkpoints import CheckpointFolder, read_checkpoint


def content(number: int) -> dict[str, Any]:
    return {"state_dict": {"weight": torch.full((3,), float(number))}, "number": number}


def test_last_becomes_previous_and_best_stays(tmp_path: Path) -> None:
    kept = CheckpointFolder(tmp_path / "checkpoints")
    kept.save(content(1), names=("best", "last"))
    kept.save(content(2), names=("last",))
    kept.save(content(3), names=("last",))
    numbers = {name: read_checkpoint(path)["number"] for name, path in kept.existing().items()}
    assert numbers == {"best": 1, "last": 3, "previous": 2}
    assert not any(path.is_symlink() for path in kept.folder.iterdir())
    assert sorted(path.name for path in kept.folder.iterdir()) == sorted(
        f"{name}.ckpt{end}" for name in numbers for end in ("", ".sha256")
    )


def test_digests_are_those_of_sha256sum(tmp_path: Path) -> None:
    kept = CheckpointFolder(tmp_path)
    kept.save(content(1), names=("last",))
    told = (tmp_path / "last.ckpt.sha256").read_text()
    assert told == f"{hashlib.sha256((tmp_path / 'last.ckpt').read_bytes()).hexdigest()}  last.ckpt\n"


def test_the_newest_whole_and_usable_one_is_found(tmp_path: Path) -> None:
    kept = CheckpointFolder(tmp_path)
    assert kept.newest() is None
    kept.save(content(1), names=("last",))
    kept.save(content(2), names=("last",))
    found = kept.newest()
    assert found is not None
    assert (found.content["number"], found.notes) == (2, ())
    older = kept.newest(lambda each: each["number"] < 2)
    assert older is not None
    assert (older.content["number"], older.notes) == (1, ())
    assert kept.newest(lambda each: False) is None


@pytest.mark.parametrize("crash_at", range(8))
def test_a_crash_at_any_rename_leaves_a_whole_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash_at: int,
) -> None:
    kept = CheckpointFolder(tmp_path)
    for number in (1, 2, 3):
        kept.save(content(number), names=("best", "last"))
    renames = 0
    rename = Path.replace

    def failing(path: Path, target: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames > crash_at:
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", failing)
    with contextlib.suppress(KeyboardInterrupt):
        kept.save(content(4), names=("best", "last"))
    monkeypatch.undo()
    found = kept.newest()
    assert found is not None
    assert found.notes == ()
    assert found.content["number"] == (4 if crash_at >= 6 else 3)
    assert read_checkpoint(kept.path("best"))["number"] in (3, 4)
    kept.save(content(5), names=("last",))
    newest = kept.newest()
    assert newest is not None
    assert newest.content["number"] == 5


def test_clear_removes_everything(tmp_path: Path) -> None:
    kept = CheckpointFolder(tmp_path)
    kept.save(content(1), names=("best", "last"))
    kept.clear()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(subject.os, "fsync", full)
    with pytest.raises(RunFolderError, match="No space left on device"):
        CheckpointFolder(tmp_path).save(content(1), names=("last",))
    assert list(tmp_path.iterdir()) == []


def test_reading_what_is_not_there_or_no_checkpoint_is_said(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="isn't there"):
        read_checkpoint(tmp_path / "best.ckpt")
    (tmp_path / "best.ckpt").write_text("no checkpoint")
    with pytest.raises(RunFolderError, match="can't be read as a checkpoint"):
        read_checkpoint(tmp_path / "best.ckpt")


def test_another_version_is_refused(tmp_path: Path) -> None:
    torch.save({"version": 2}, tmp_path / "best.ckpt")
    with pytest.raises(RunFolderError, match="has version 2 where this assay reads 1"):
        read_checkpoint(tmp_path / "best.ckpt")


def test_sha256sum_agrees(tmp_path: Path) -> None:
    CheckpointFolder(tmp_path).save(content(1), names=("last",))
    try:
        command = ["sha256sum", "-c", "last.ckpt.sha256"]
        checked = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)
    except FileNotFoundError:
        pytest.skip("sha256sum isn't installed")
    assert checked.returncode == 0
