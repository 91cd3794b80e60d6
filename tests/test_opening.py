"""The test set is opened once: what is refused, what is written down before scores are known, and what is finished."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.drafting import draft
from assay.errors import RunFolderError, UnusableInput
from assay.facts.encoding import read_facts
from assay.facts.seal import SealFacts
from assay.ledger import Ledger
from assay.opening import Opened, open_test
from assay.running import Asked, Silent, run
from assay.seal import OPENED, UserFile
from assay.sources import find
from assay.stages.test import test as test_stage
from tests.experiments import IRIS


@dataclass(frozen=True)
class Ready:
    """A run that has climbed to its end, in a folder of its own, and the user's list of openings."""

    run: Path
    user_file: Path

    def opened(self, again: str | None = None) -> Opened:
        return open_test(self.run, user_file=self.user_file, again=again, display=Silent())

    def events(self) -> list[str]:
        return [entry.event for entry in Ledger(self.run / "ledger.jsonl").entries()]


@pytest.fixture(scope="module")
def climbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("climbed")
    (folder / "iris.yaml").write_text(IRIS)
    climb = run(folder / "iris.yaml", runs=folder / "runs")
    assert climb.stopped is None
    return climb.folder


@pytest.fixture
def ready(climbed: Path, tmp_path: Path) -> Ready:
    shutil.copytree(climbed, tmp_path / "iris-001")
    return Ready(tmp_path / "iris-001", tmp_path / "home" / "openings.jsonl")


def test_the_first_opening_scores_every_seed_and_baseline(ready: Ready) -> None:
    opened = ready.opened()
    result = opened.outcome.result
    assert opened.outcome.verdict == "passed"
    assert opened.seal == SealFacts(rows=30, earlier=())
    assert "test-reused" in opened.judgement.passed
    assert (result["rows"], result["metric"], result["device"]) == (30, "macro_f1", "cpu")
    assert [each["seed"] for each in result["seeds"]] == [0, 1]
    assert result["mean"] == pytest.approx(sum(each["score"] for each in result["seeds"]) / 2)
    assert {*result["baselines"]} == {"constant", "linear", "boosted trees"}
    assert result["baselines"]["constant"]["accuracy"] == pytest.approx(1 / 3)
    for each in result["seeds"]:
        assert sum(map(sum, each["confusion_matrix"])) == 30
        assert len(each["per_class_recall"]) == 3
    assert set(result["together"]) == {"macro_f1", "weighted_f1", "accuracy"}


def test_it_is_written_down_in_both_places_and_kept(ready: Ready) -> None:
    opened = ready.opened()
    assert ready.events()[-2:] == [OPENED, "stage"]
    (look,) = UserFile(ready.user_file).looks()
    assert look.look == opened.outcome.result["look"]
    assert look.why is None
    assert json.loads((ready.run / "test" / "scores.json").read_text())["mean"] == opened.outcome.result["mean"]
    assert read_facts(ready.run / "test" / "facts.jsonl").find(SealFacts) == opened.seal
    assert json.loads((ready.run / "test" / "findings.json").read_text()) == []


def test_a_second_opening_is_refused_and_changes_nothing(ready: Ready) -> None:
    ready.opened()
    before, listed = ready.events(), ready.user_file.read_bytes()
    scores = (ready.run / "test" / "scores.json").read_bytes()
    second = ready.opened()
    assert second.outcome.verdict == "failed"
    assert [finding.rule for finding in second.outcome.findings] == ["test-reused"]
    assert "seeds" not in second.outcome.result
    assert ready.events() == before
    assert ready.user_file.read_bytes() == listed
    assert (ready.run / "test" / "scores.json").read_bytes() == scores


def test_again_with_a_reason_opens_and_the_reason_stays(ready: Ready) -> None:
    first = ready.opened()
    second = ready.opened(again="the report was lost")
    assert (second.outcome.verdict, second.outcome.why) == ("waived", "the report was lost")
    assert [finding.rule for finding in second.outcome.findings] == ["test-reused"]
    assert second.outcome.result["mean"] == first.outcome.result["mean"]
    assert [each["why"] for each in second.outcome.result["openings"]] == [None, "the report was lost"]
    third = ready.opened()
    assert third.outcome.findings[0].evidence["reasons"] == ["the report was lost"]


def test_a_reason_for_the_first_opening_makes_it_no_second(ready: Ready) -> None:
    opened = ready.opened(again="out of caution")
    assert (opened.outcome.verdict, opened.outcome.why) == ("passed", None)


def test_another_run_s_folder_hides_nothing(ready: Ready, tmp_path: Path) -> None:
    recipe = tmp_path / "other.yaml"
    recipe.write_text(IRIS.replace("1e-2", "2e-2"))
    other = run(recipe, runs=tmp_path / "runs").folder
    ready.opened()
    refused = Ready(other, ready.user_file).opened()
    assert refused.outcome.verdict == "failed"
    assert not (other / "test").exists()


def test_a_list_that_was_removed_shows(ready: Ready) -> None:
    ready.opened()
    ready.user_file.unlink()
    (finding,) = ready.opened().outcome.findings
    assert "disagree" in finding.summary


def test_an_allowance_opens_no_seal(climbed: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "iris.yaml"
    recipe.write_text(IRIS + "allow: [test-reused]\n")
    ready = Ready(run(recipe, runs=tmp_path / "runs").folder, tmp_path / "openings.jsonl")
    ready.opened()
    assert ready.opened().outcome.verdict == "failed"


def test_an_interrupted_opening_is_finished_and_counts_once(ready: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("assay.opening.write_document", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ready.opened()
    assert ready.events()[-1] == OPENED
    opened = ready.opened()
    assert opened.outcome.verdict == "passed"
    assert ready.events().count(OPENED) == 1
    assert len(UserFile(ready.user_file).looks()) == 1


def test_an_interruption_between_the_two_places_is_mended(ready: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise RunFolderError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(UserFile, "add", full)
        with pytest.raises(RunFolderError):
            ready.opened()
    assert UserFile(ready.user_file).looks() == ()
    assert ready.opened().outcome.verdict == "passed"
    assert len(UserFile(ready.user_file).looks()) == 1


def test_a_run_that_is_not_at_its_end_is_refused(tmp_path: Path) -> None:
    recipe = tmp_path / "iris.yaml"
    recipe.write_text(IRIS)
    ready = Ready(run(recipe, asked=Asked(to="smoke"), runs=tmp_path / "runs").folder, tmp_path / "list.jsonl")
    with pytest.raises(UnusableInput, match=r"overfit has not been climbed, .* `assay run .*` goes on"):
        ready.opened()
    assert not ready.user_file.exists()


def test_a_waived_gate_is_no_hindrance_and_a_failed_one_is(ready: Ready) -> None:
    ledger = Ledger(ready.run / "ledger.jsonl")
    ledger.append("stage", stage="seeds", verdict="failed", result={}, why=None)
    with pytest.raises(UnusableInput, match="seeds failed"):
        ready.opened()
    ledger.append("stage", stage="seeds", verdict="waived", result={}, why="known")
    assert ready.opened().outcome.verdict == "passed"


def test_damaged_weights_open_nothing(ready: Ready) -> None:
    best = ready.run / "seeds" / "seed-1" / "checkpoints" / "best.ckpt"
    best.write_bytes(best.read_bytes()[:-1])
    with pytest.raises(RunFolderError, match=r"best\.ckpt is damaged"):
        ready.opened()
    assert OPENED not in ready.events()
    best.unlink()
    with pytest.raises(RunFolderError, match="missing, though seed 1 was trained"):
        ready.opened()
    assert OPENED not in ready.events()


def test_a_seed_that_never_had_a_score_is_told_and_leaves_no_score_together(ready: Ready) -> None:
    (ready.run / "seeds" / "seed-1" / "checkpoints" / "best.ckpt").unlink()
    never = {"seeds": [{"seed": 0, "score": 0.9}, {"seed": 1, "score": None}]}
    Ledger(ready.run / "ledger.jsonl").append("stage", stage="seeds", verdict="waived", result=never, why="known")
    opened = ready.opened()
    assert opened.outcome.result["seeds"][1]["failure"]
    assert opened.outcome.result["together"] is None


def test_a_recipe_without_test_rows_has_nothing_to_open(tmp_path: Path) -> None:
    recipe = tmp_path / "iris.yaml"
    recipe.write_text(IRIS.replace("name: iris", "name: iris, split: {train: 0.7, validation: 0.3, test: 0}"))
    folder = run(recipe, asked=Asked(waivers={"data": "no test rows, on purpose"}), runs=tmp_path / "runs").folder
    with pytest.raises(UnusableInput, match="set no test rows aside"):
        Ready(folder, tmp_path / "list.jsonl").opened()


def test_a_list_that_cant_be_kept_keeps_the_seal_closed(ready: Ready) -> None:
    ready.user_file.parent.write_text("no folder")
    with pytest.raises(RunFolderError, match="stays closed"):
        ready.opened()
    assert OPENED not in ready.events()


def test_the_stage_has_its_page() -> None:
    assert test_stage.name == "test"
    for heading in ("## Question", "## What is done", "## Passes when", "## What a failure usually means"):
        assert heading in test_stage.page


def test_the_first_recipe_for_digits_reads_97_of_100_digits_that_it_never_saw(tmp_path: Path) -> None:
    source, dataset = find("digits")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(draft(dataset, source=source).text())
    opened = Ready(run(recipe, runs=tmp_path / "runs").folder, tmp_path / "openings.jsonl").opened()
    accuracies = [each["scores"]["accuracy"] for each in opened.outcome.result["seeds"]]
    assert len(accuracies) == 3
    assert sum(accuracies) / 3 >= 0.97
