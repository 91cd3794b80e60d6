"""The record says what a run stands on, and what it couldn't find out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.facts.fact import Unknown
from assay.record import Record, Source, gather_record, write_record


def gather() -> Record:
    return gather_record(recipe="sha256:1", data="sha256:2", seeds=(0, 1))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    (tmp_path / "train.py").write_text("rate = 1\n")
    for command in (["init", "-q"], ["add", "train.py"],
                    ["-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], check=True)
    return tmp_path


def test_versions_machine_and_what_was_given() -> None:
    record = gather()
    assert record.versions.keys() >= {"assay", "torch", "numpy"}
    assert record.python.startswith(f"{sys.version_info.major}.")
    assert record.hardware.cores >= 1
    assert record.hardware.memory > 2**28
    assert (record.recipe, record.data, record.seeds) == ("sha256:1", "sha256:2", (0, 1))


def test_commit_diff_and_files_that_git_does_not_know(repository: Path) -> None:
    (repository / "train.py").write_text("rate = 2\n")
    (repository / "new.py").write_text("")
    source = gather().source
    assert isinstance(source, Source)
    assert len(source.commit) == 40
    assert "-rate = 1\n+rate = 2\n" in source.diff
    assert source.untracked == ("new.py",)


def test_a_repository_s_own_programs_are_not_run(repository: Path) -> None:
    trap = repository / "trap.sh"
    trap.write_text("#!/bin/sh\ntouch sprung\n")
    trap.chmod(0o755)
    for setting in ("core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv"):
        subprocess.run(["git", "config", setting, str(trap)], check=True)
    (repository / ".gitattributes").write_text("*.py diff=x\n")
    (repository / "train.py").write_text("rate = 2\n")
    assert isinstance(gather().source, Source)
    assert not (repository / "sprung").exists()


def test_a_folder_without_a_repository_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    source = gather().source
    assert isinstance(source, Unknown)
    assert "not a git repository" in source.why


def test_a_machine_without_git_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert gather().source == Unknown("git is not installed")


def test_a_driver_that_does_not_answer_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = tmp_path / "nvidia-smi"
    driver.write_text("#!/bin/sh\necho 'the driver is broken' >&2\nexit 9\n")
    driver.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert gather().hardware.gpus == Unknown("nvidia-smi: the driver is broken")


def test_the_record_is_strict_json(tmp_path: Path) -> None:
    write_record(tmp_path, gather())
    read = json.loads((tmp_path / "record.json").read_text())
    assert read["seeds"] == [0, 1]
    assert read["versions"]["torch"]
