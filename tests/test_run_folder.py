"""A run's folder is new, recognisable, and one process's at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assay.errors import RunFolderError
from assay.ledger import Ledger
from assay.run_folder import FORMAT, LEDGER, locked, new_run_folder, open_run

HOLD = (
    "import sys, time; from pathlib import Path; from assay.run_folder import locked\n"
    "with locked(Path(sys.argv[1])):\n"
    "    print('held', flush=True); time.sleep(60)\n"
)


def test_folders_are_numbered(tmp_path: Path) -> None:
    names = [new_run_folder(tmp_path / "runs", "digits").name for _ in range(2)]
    assert names == ["digits-001", "digits-002"]
    assert new_run_folder(tmp_path / "runs", "digits+").name == "digits+-001"


def test_a_number_is_not_given_again_while_a_later_one_stands(tmp_path: Path) -> None:
    (tmp_path / "wine-041").mkdir()
    assert new_run_folder(tmp_path, "wine").name == "wine-042"


def test_two_that_ask_at_once_get_two_folders(tmp_path: Path) -> None:
    made: list[Path] = []
    threads = [threading.Thread(target=lambda: made.append(new_run_folder(tmp_path, "run"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 8


def test_a_place_that_cannot_hold_runs_is_told(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(RunFolderError, match="No run's folder can be made in"):
        new_run_folder(tmp_path / "runs", "digits")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_rights_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunFolderError, match="choose a place that you may write to"):
        new_run_folder(tmp_path / "runs", "digits")


def test_a_new_run_opens(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, "digits")
    assert [entry.event for entry in open_run(folder).entries()] == ["made"]


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="There is no run at"):
        open_run(tmp_path / "runs")
    with pytest.raises(RunFolderError, match=r"holds no ledger.jsonl"):
        open_run(tmp_path)
    (tmp_path / LEDGER).write_text("")
    with pytest.raises(RunFolderError, match="doesn't begin as one"):
        open_run(tmp_path)


@pytest.mark.parametrize("before", [0, 1])
def test_a_line_that_is_too_deep_to_read_is_no_entry(before: int, tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, "digits")
    Ledger(folder / LEDGER).append("on")
    lines = (folder / LEDGER).read_bytes().splitlines(keepends=True)
    lines.insert(before, b"[" * 100_000 + b"\n")
    (folder / LEDGER).write_bytes(b"".join(lines))
    with pytest.raises(RunFolderError, match=r"doesn't begin as one|line 2: it was altered"):
        open_run(folder)


def test_a_newer_format_is_refused_whatever_follows_its_first_line(tmp_path: Path) -> None:
    first = json.dumps({"payload": {"format": FORMAT + 1, "assay": "9.0"}, "sealed": "otherwise"})
    (tmp_path / LEDGER).write_text(f"{first}\nwhat only 9.0 can read\n")
    with pytest.raises(RunFolderError, match=r"written by assay 9.0 in format 2, .* knows format 1"):
        open_run(tmp_path)


def test_an_altered_run_is_refused(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, "digits")
    path = folder / LEDGER
    path.write_text(path.read_text().replace('"at": "2', '"at": "1'))
    with pytest.raises(RunFolderError, match="altered"):
        open_run(folder)


def test_a_run_is_one_process_s_until_it_dies(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, "digits")
    child = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(RunFolderError, match="Another process is climbing"), locked(folder):
        pytest.fail("the lock was given twice")
    child.send_signal(signal.SIGKILL)
    child.communicate()
    with locked(folder):
        open_run(folder).append("went-on")


def test_a_run_that_cannot_be_locked_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="can't be kept to one process"), locked(tmp_path / "missing"):
        pytest.fail("there is nothing to lock")


def test_what_is_raised_under_the_lock_passes_through(tmp_path: Path) -> None:
    folder = new_run_folder(tmp_path, "digits")
    with pytest.raises(BlockingIOError, match="mine"), locked(folder):
        raise BlockingIOError("mine")
