"""The list of runs, from ledgers that were written by hand: outcomes, differences, and runs that can't be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assay.cli.runs import command
from assay.errors import UnusableInput
from assay.ledger import Ledger
from assay.past_runs import Change, PastRun, past_runs
from assay.run_folder import new_run_folder

RECIPE = "data: {source: sklearn, name: iris}\ntraining:\n  batch_size: {value: 16, status: uncertain, why: a guess}\n"


def made(
    root: Path, stem: str = "iris", *, recipe: str = RECIPE, data: str = "sha256:a", commit: str = "c1",
) -> tuple[Path, Ledger]:
    folder = new_run_folder(root, stem)
    ledger = Ledger(folder / "ledger.jsonl")
    ledger.append("started", recipe=recipe, fingerprint=data)
    record = {"source": {"commit": commit, "diff": ""}, "versions": {"torch": "2.13.0"}}
    (folder / "record.json").write_text(json.dumps(record))
    return folder, ledger


def ended(ledger: Ledger, stage: str, result: dict[str, Any], verdict: str = "passed", **more: Any) -> None:
    ledger.append("stage", stage=stage, verdict=verdict, result=result, **{"why": None, "findings": [], **more})


def climbed(ledger: Ledger) -> None:
    ended(ledger, "single", {"metric": "macro_f1", "score": 0.9})
    seeds = [{"score": 0.9}, {"score": None}, {"score": 0.8}]
    ended(ledger, "seeds", {"metric": "macro_f1", "mean": 0.85, "seeds": seeds})


def only(root: Path) -> PastRun:
    (run,) = past_runs(root)
    return run


def test_a_run_that_reached_its_end(tmp_path: Path) -> None:
    climbed(made(tmp_path)[1])
    run = only(tmp_path)
    assert (run.stage, run.verdict, run.metric, run.score, run.seeds) == ("seeds", "passed", "macro_f1", 0.85, 2)
    assert (run.opened, run.tests, run.before, run.fault) == (0, (), None, None)


def test_a_run_that_was_stopped_names_the_rules(tmp_path: Path) -> None:
    ended(made(tmp_path)[1], "data", {}, "failed", findings=["bad-values"])
    run = only(tmp_path)
    assert (run.stage, run.verdict, run.stopped_by, run.score) == ("data", "failed", ("bad-values",), None)


def test_waivers_and_openings_are_listed(tmp_path: Path) -> None:
    _, ledger = made(tmp_path)
    ended(ledger, "smoke", {}, "waived", why="known")
    climbed(ledger)
    for why in (None, "lost"):
        ledger.append("test-opened", look="x")
        ended(ledger, "test", {"mean": 0.8}, why=why)
    ledger.append("test-opened", look="y")
    run = only(tmp_path)
    assert run.waived == (("smoke", "known"),)
    assert [(test.mean, test.why) for test in run.tests] == [(0.8, None), (0.8, "lost")]
    assert (run.stage, run.opened) == ("seeds", 3)


def test_what_differs_from_the_run_before_of_the_same_name(tmp_path: Path) -> None:
    made(tmp_path)
    made(tmp_path, "other", recipe="data: {name: wine}\n")
    made(tmp_path, recipe=RECIPE.replace("16", "8") + "seeds: [1]\n", data="sha256:b", commit="c2")
    first, other, second = past_runs(tmp_path)
    assert (first.before, other.before, second.before) == (None, None, "iris-001")
    assert second.changes == (
        Change(path="training.batch_size", before=16, now=8), Change(path="data", before="sha256:a", now="sha256:b"),
        Change(path="commit", before="c1", now="c2"), Change(path="seeds", before=None, now=[1]),
    )


def test_equal_runs_have_no_differences(tmp_path: Path) -> None:
    made(tmp_path)
    made(tmp_path)
    assert past_runs(tmp_path)[1].changes == ()
    assert past_runs(tmp_path)[1].before == "iris-001"


def test_what_is_no_run_is_passed_over_and_what_is_damaged_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    assert past_runs(tmp_path) == ()
    folder, ledger = made(tmp_path)
    ledger.path.write_bytes(ledger.path.read_bytes().replace(b"iris", b"wine"))
    new_run_folder(tmp_path, "torn")
    damaged, torn = sorted(past_runs(tmp_path), key=lambda run: run.folder.name)
    assert damaged.folder == folder
    assert "line 2: it was altered" in str(damaged.fault)
    assert torn.fault == "it stopped before it had a recipe"


def test_a_record_that_is_gone_or_of_another_form_hides_nothing_else(tmp_path: Path) -> None:
    made(tmp_path)
    folder, _ = made(tmp_path)
    (folder / "record.json").write_text('{"source": {"unknown": "no git"}, "versions": {}}')
    made(tmp_path)[0].joinpath("record.json").unlink()
    runs = past_runs(tmp_path)
    assert {change.path for change in runs[1].changes} == {"commit", "torch"}
    assert runs[2].changes in ((), (Change(path="commit", before=None, now=None),))


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="There is no folder"):
        past_runs(tmp_path / "runs")


def shown(root: Path, *more: str) -> str:
    done = CliRunner().invoke(command, ["--runs", str(root), *more])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_verb_shows_each_run(tmp_path: Path) -> None:
    assert "There are no runs" in shown(tmp_path)
    _, ledger = made(tmp_path)
    climbed(ledger)
    ledger.append("test-opened", look="x")
    ended(ledger, "test", {"mean": 0.8}, why="the\x1breport was lost")
    ledger.append("test-opened", look="y")
    ended(made(tmp_path, data="sha256:" + "b" * 64)[1], "data", {}, "failed", findings=["bad-values"])
    text = shown(tmp_path)
    assert "seeds passed, macro_f1 0.8500 over 2 seeds" in text
    assert "test macro_f1 0.8000 (opened again: the\\x1breport was lost)" in text
    assert "opened without a score being kept" in text
    assert "data failed by bad-values" in text
    assert "data: sha256:a → sha256:bbbbbbbbbbbb\n" in text


def test_the_verb_s_document(tmp_path: Path) -> None:
    climbed(made(tmp_path)[1])
    made(tmp_path, recipe=RECIPE.replace("16", "8"))
    found = json.loads(shown(tmp_path, "--json", "-"))
    assert (found["verb"], found["verdict"]) == ("runs", "unchecked")
    first, second = found["result"]["runs"]
    assert first["score"] == 0.85
    assert second["changes"] == [{"path": "training.batch_size", "before": 16, "now": 8}]
