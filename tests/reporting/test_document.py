"""The JSON document: its form, its strictness, and where it is written."""

from __future__ import annotations

import json
import os
import threading
from importlib import metadata
from pathlib import Path

import pytest

from assay.errors import RunFolderError, UnusableInput
from assay.reporting.document import document, finding_document, refuse_unwritable, write
from assay.rule import NOTE, Finding, Judgement, Where
from tests.reporting.findings import EMPTY, PLATEAU, PROBABILITIES

JUDGEMENT = Judgement(
    findings=(PROBABILITIES, EMPTY), passed=("loss-broadcast",), not_checked={"eval-augmented": "no evaluation"},
    not_applicable={"clip-after-step": "nothing is clipped"}, broken={"grad-accumulates": "KeyError: 1"},
    allowed=(PLATEAU,), allowed_unused=("unseeded",),
)


def test_the_document_has_the_stated_form() -> None:
    made = document(verb="watch", judgement=JUDGEMENT, result={"steps": 3}, seconds={"total": 1.5}, program={"exit": 0})
    assert list(made) == ["assay", "verb", "verdict", "findings", "rules", "allowed", "allowed_unused", "result",
                          "program", "seconds"]
    assert made["assay"] == metadata.version("assay")
    assert made["verdict"] == "fail"
    assert made["rules"] == {
        "passed": ["loss-broadcast"],
        "not_checked": [{"rule": "eval-augmented", "why": "no evaluation"}],
        "not_applicable": ["clip-after-step"],
        "broken": [{"rule": "grad-accumulates", "why": "KeyError: 1"}],
    }
    assert [finding["rule"] for finding in made["allowed"]] == ["plateau-at-floor"]
    assert made["allowed_unused"] == ["unseeded"]


def test_only_a_watched_program_has_an_exit() -> None:
    assert "program" not in document(verb="plan", judgement=Judgement(), result={}, seconds={})


def test_a_finding_has_the_stated_form() -> None:
    made = finding_document(PROBABILITIES)
    assert made == {
        "rule": "loss-on-probabilities", "family": "loss", "severity": "error",
        "summary": "cross_entropy is given probabilities: softmax is applied twice",
        "where": {"file": "train.py", "line": 42, "module": "head", "step": 0},
        "evidence": {"row_sums": [1.0, 1.0], "chain": ["NllLoss", "LogSoftmax", "Softmax"], "lost": None},
        "impact": "the loss can't fall below 1.461 = log(1 + 9/e)",
        "fix": "pass the scores that come before softmax",
        "explains": [finding_document(PLATEAU)],
    }


def test_what_a_finding_lacks_is_null_or_left_out() -> None:
    made = finding_document(EMPTY)
    assert made["where"] is None
    assert "impact" not in made
    assert "explains" not in made
    assert finding_document(Finding(summary="s", evidence={"a": 1}, fix="f", where=Where()))["where"] is None


@pytest.mark.parametrize(("judgement", "verdict"), [
    (JUDGEMENT, "fail"),
    (Judgement(findings=(EMPTY,)), "pass"),
    (Judgement(passed=("unseeded",)), "pass"),
    (Judgement(not_checked={"unseeded": "nothing ran"}), "unchecked"),
    (Judgement(findings=(Finding(summary="s", evidence={"a": 1}, fix="f", severity=NOTE),)), "pass"),
])
def test_the_verdict_follows_from_the_judgement(judgement: Judgement, verdict: str) -> None:
    assert document(verb="watch", judgement=judgement, result={}, seconds={})["verdict"] == verdict


def test_a_verb_may_know_better() -> None:
    made = document(verb="run", judgement=Judgement(passed=("x",)), result={}, seconds={}, verdict="fail")
    assert made["verdict"] == "fail"


def test_a_file_holds_strict_json(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    write(document(verb="run", judgement=JUDGEMENT, result={"score": float("inf")}, seconds={}), path)

    def refuse(name: str) -> None:
        pytest.fail(f"{name} is not JSON")

    read = json.loads(path.read_text(), parse_constant=refuse)
    assert read["result"] == {"score": "inf"}
    assert read["findings"][1]["evidence"]["score"] == "nan"


def test_a_dash_is_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write({"verb": "plan"}, "-")
    assert json.loads(capsys.readouterr().out) == {"verb": "plan"}


def test_a_pipe_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write({"verb": "plan"}, pipe)
    reader.join()
    assert json.loads(heard[0]) == {"verb": "plan"}
    assert pipe.is_fifo()


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    write({"verb": "plan"}, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text()) == {"verb": "plan"}


@pytest.mark.parametrize("target", [".", "missing/findings.json"])
def test_a_target_that_cannot_be_written_is_told(tmp_path: Path, target: str) -> None:
    with pytest.raises(RunFolderError, match="can't be written"):
        write({}, tmp_path / target)


def test_what_can_not_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    for fine in (None, "-", str(tmp_path / "new.json"), os.devnull):
        refuse_unwritable(fine)
    for bad in (str(tmp_path), str(tmp_path / "no" / "new.json")):
        with pytest.raises(UnusableInput):
            refuse_unwritable(bad)
