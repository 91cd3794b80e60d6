"""Documents are whole or old; a ledger that was altered is refused; a torn line costs nothing but itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import RunFolderError
from assay.ledger import Ledger, write_bytes, write_document

EVENTS = ("made", "stage", "stage", "ended")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger(tmp_path / "ledger.jsonl")
    for number, event in enumerate(EVENTS):
        made.append(event, number=number)
    return made


def test_entries_come_back_in_order_with_their_payload(ledger: Ledger) -> None:
    entries = Ledger(ledger.path).entries()
    assert [(entry.event, entry.payload) for entry in entries] == [
        (event, {"number": number}) for number, event in enumerate(EVENTS)
    ]
    assert not ledger.torn


def test_a_ledger_without_a_file_is_empty(tmp_path: Path) -> None:
    assert Ledger(tmp_path / "ledger.jsonl").entries() == ()


def test_payloads_are_strict_json(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.append("ended", loss=float("nan"), shape=(2, 3))
    assert ledger.entries()[0].payload == {"loss": "nan", "shape": [2, 3]}


@pytest.mark.parametrize("number", range(len(EVENTS)))
def test_an_altered_line_is_found(ledger: Ledger, number: int) -> None:
    lines = ledger.path.read_text().splitlines(keepends=True)
    lines[number] = lines[number].replace('"number": ', '"number": 1')
    ledger.path.write_text("".join(lines))
    with pytest.raises(RunFolderError, match=f"line {number + 1}: it was altered"):
        ledger.entries()
    with pytest.raises(RunFolderError, match="altered"):
        ledger.append("more")


@pytest.mark.parametrize("number", range(len(EVENTS) - 1))
def test_a_missing_line_is_found(ledger: Ledger, number: int) -> None:
    lines = ledger.path.read_text().splitlines(keepends=True)
    del lines[number]
    ledger.path.write_text("".join(lines))
    with pytest.raises(RunFolderError, match=f"line {number + 1}: "):
        ledger.entries()


def test_an_altered_line_with_a_new_checksum_is_found_by_the_next(ledger: Ledger) -> None:
    other = Ledger(ledger.path.with_name("other.jsonl"))
    other.append("made", number=7)
    lines = ledger.path.read_bytes().splitlines(keepends=True)
    ledger.path.write_bytes(b"".join([other.path.read_bytes(), *lines[1:]]))
    with pytest.raises(RunFolderError, match="line 2: "):
        ledger.entries()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_torn_last_line_is_dropped_and_told(ledger: Ledger, data: st.DataObject) -> None:
    whole = ledger.path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    kept = data.draw(st.integers(1, len(last) - 1))
    torn = Ledger(ledger.path.with_name("torn.jsonl"))
    torn.path.write_bytes(whole[: len(whole) - len(last) + kept])
    assert torn.torn
    assert len(torn.entries()) == len(EVENTS) - 1
    torn.append("went-on")
    assert [entry.event for entry in torn.entries()] == [*EVENTS[:-1], "torn-line-dropped", "went-on"]
    assert not torn.torn


def test_a_last_line_of_zeros_is_torn_too(ledger: Ledger) -> None:
    ledger.path.write_bytes(ledger.path.read_bytes() + b"\0" * 64)
    assert len(ledger.entries()) == len(EVENTS)
    ledger.append("went-on")
    assert [entry.event for entry in ledger.entries()][-2:] == ["torn-line-dropped", "went-on"]


def test_a_ledger_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="can't be written"):
        Ledger(tmp_path / "missing" / "ledger.jsonl").append("made")


def test_a_document_is_replaced_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "recipe.yaml"
    write_document(path, "old")
    write_document(path, "new: ±\n")
    assert path.read_text(encoding="utf-8") == "new: ±\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_document_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_text("x")
    write_document(tmp_path / "document", "x")
    assert (tmp_path / "document").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_a_failed_write_keeps_the_old_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "record.json"
    write_bytes(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunFolderError, match=r"record.json can't be written \(No space left on device\)"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("target", ["missing/record.json", "."])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, target: str) -> None:
    with pytest.raises(RunFolderError, match="can't be written"):
        write_document(tmp_path / target, "x")


def test_a_process_killed_while_it_appends_loses_at_most_one_line(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from assay.ledger import Ledger\n"
        "ledger = Ledger(Path(sys.argv[1]))\n"
        "for number in range(10**6):\n"
        "    ledger.append('step', number=number); print(number, flush=True)\n"
    )
    path = tmp_path / "ledger.jsonl"
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    said = [int(child.stdout.readline()) for _ in range(20)]
    child.send_signal(signal.SIGKILL)
    said += [int(line) for line in child.communicate()[0].split()]
    ledger = Ledger(path)
    numbers = [entry.payload["number"] for entry in ledger.entries()]
    assert numbers[: len(said)] == said, "what was said to be written is there"
    assert json.loads(path.read_text().splitlines()[0])["event"] == "step"


def test_a_device_and_a_link_stay_what_they_are(tmp_path: Path) -> None:
    write_document(Path(os.devnull), "x")
    assert Path(os.devnull).is_char_device()
    (tmp_path / "link.json").symlink_to("kept.json")
    write_document(tmp_path / "link.json", "x")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "kept.json").read_text() == "x"
