"""`assay test`: what it prints and with which code it ends; and where the user's list of openings lies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main
from assay.cli.test import openings_file
from assay.errors import UnusableInput
from assay.running import run
from tests.experiments import IRIS


def verb(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def test_once_refused_and_again(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "iris.yaml").write_text(IRIS)
    folder = run(tmp_path / "iris.yaml", runs=tmp_path / "runs").folder
    assert verb("test", folder) == 0
    first = capsys.readouterr().out
    for shown in ("test: passed", "seed 0", "seed 1", "together", "constant", "boosted trees", "recall of each class",
                  "setosa", "have been opened"):
        assert shown in first
    assert (home / "assay" / "openings.jsonl").is_file()

    assert verb("test", folder, "--json", "-") == 1
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (document["verb"], document["verdict"], document["result"]["gate"]) == ("test", "fail", "failed")
    assert [finding["rule"] for finding in document["findings"] if finding["severity"] == "error"] == ["test-reused"]
    assert "stays closed" in said.err

    assert verb("test", folder, "--again", "--why", "to see", "--json", tmp_path / "out.json") == 0
    assert "test: waived" in capsys.readouterr().out
    document = json.loads((tmp_path / "out.json").read_text())
    assert (document["verdict"], document["result"]["gate"], document["result"]["why"]) == ("pass", "waived", "to see")
    assert document["result"]["mean"] is not None
    assert [each["why"] for each in document["result"]["openings"]] == [None, "to see"]

    assert verb("run", folder, "--json", tmp_path / "run.json") == 0
    assert "once more: to see." in capsys.readouterr().out
    openings = json.loads((tmp_path / "run.json").read_text())["result"]["test_openings"]
    assert [each["why"] for each in openings] == [None, "to see"]


def test_what_was_scored_is_told_where_the_report_fails(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "iris.yaml").write_text(IRIS)
    folder = run(tmp_path / "iris.yaml", runs=tmp_path / "runs").folder
    assert verb("test", folder, "--json", tmp_path) == 2
    assert "is a folder" in capsys.readouterr().err
    assert not home.exists()

    (folder / "record.json").write_text("{")
    assert verb("test", folder, "--json", tmp_path / "out.json") == 2
    said = capsys.readouterr()
    assert "together" in said.out
    assert "record.json can't be read" in said.err
    assert json.loads((tmp_path / "out.json").read_text())["result"]["mean"] is not None


@pytest.mark.parametrize("arguments", [("--again",), ("--why", "x"), ("--again", "--why", " ")])
def test_again_and_why_go_together(
    tmp_path: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str],
) -> None:
    assert verb("test", tmp_path, *arguments) == 2
    assert "go together" in capsys.readouterr().err


def test_what_is_no_run_is_refused_in_one_sentence(home: Path, tmp_path: Path,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    assert verb("test", tmp_path / "no") == 2
    assert verb("test", tmp_path) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert not home.exists()


def test_where_the_list_lies() -> None:
    assert openings_file({"XDG_DATA_HOME": "/d", "HOME": "/h"}) == Path("/d/assay/openings.jsonl")
    for unset in ({"HOME": "/h"}, {"HOME": "/h", "XDG_DATA_HOME": ""}, {"HOME": "/h", "XDG_DATA_HOME": "relative"}):
        assert openings_file(unset) == Path("/h/.local/share/assay/openings.jsonl")
    with pytest.raises(UnusableInput, match="set XDG_DATA_HOME"):
        openings_file({})
