"""Starting a run, stopping at a gate, going on with it, and everything that is refused on the way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.errors import RecipeError, RunFolderError, UnusableInput
from assay.ladder import Climb, Outcome
from assay.ledger import Ledger
from assay.running import Asked, Silent, run
from assay.stage import Progress
from tests.experiments import IRIS

SICK = IRIS.replace("1e-2", "1e-9")
"""Nothing moves at this rate: no batch is memorised."""


def _recipe(folder: Path, text: str = IRIS) -> Path:
    path = folder / "iris.yaml"
    path.write_text(text)
    return path


def _climbed(folder: Path, to: str = "smoke", text: str = IRIS) -> Climb:
    return run(_recipe(folder, text), asked=Asked(to=to), runs=folder / "runs")


class Noting(Silent):
    """A display that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def started(self, stage: str, question: str) -> None:
        assert question.endswith("?")
        self.told.append(("started", stage))

    def progressed(self, stage: str, progress: Progress) -> None:
        assert 0 <= progress.done <= progress.total

    def ended(self, outcome: Outcome) -> None:
        self.told.append((outcome.verdict, outcome.stage))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Climb, Noting]:
    """A climb of the whole ladder on iris."""
    folder, display = tmp_path_factory.mktemp("whole"), Noting()
    return run(_recipe(folder), runs=folder / "runs", display=display), display


def test_the_whole_ladder(whole: tuple[Climb, Noting]) -> None:
    climb, display = whole
    names = ["data", "baselines", "smoke", "overfit", "subset", "single", "seeds"]
    assert [outcome.stage for outcome in climb.outcomes] == names
    assert climb.stopped is None
    assert [pair for name in names for pair in (("started", name), ("passed", name))] == display.told
    assert climb.judgement.broken == {}
    assert climb.judgement.errors == ()


def test_the_folder_holds_what_a_reader_needs(whole: tuple[Climb, Noting]) -> None:
    folder = whole[0].folder
    for name in ("recipe.yaml", "recipe.md", "record.json", "ledger.jsonl", "single/seed-0/metrics.csv",
                 "single/seed-0/checkpoints/best.ckpt", "seeds/seed-1/checkpoints/last.ckpt",
                 "smoke/facts.jsonl", "smoke/findings.json"):
        assert (folder / name).is_file(), name
    record = json.loads((folder / "record.json").read_text())
    assert record["seeds"] == [0, 1]
    assert record["data"].startswith("sha256:")
    events = [entry.event for entry in Ledger(folder / "ledger.jsonl").entries()]
    assert events == ["made", "started", *["stage"] * 7]


def test_going_on_with_a_finished_run_measures_nothing_again(whole: tuple[Climb, Noting]) -> None:
    again = run(whole[0].folder)
    assert all(outcome.before for outcome in again.outcomes)
    assert {f.summary for f in again.judgement.findings} == {f.summary for f in whole[0].judgement.findings}


def test_going_on_climbs_from_where_it_stood(tmp_path: Path) -> None:
    first = _climbed(tmp_path, to="baselines")
    second = run(first.folder, asked=Asked(to="overfit"))
    assert [(o.stage, o.before) for o in second.outcomes] == [
        ("data", True), ("baselines", True), ("smoke", False), ("overfit", False),
    ]


def test_a_failed_gate_stops_and_a_waiver_goes_past_it(tmp_path: Path) -> None:
    first = _climbed(tmp_path, to="seeds", text=SICK)
    assert first.stopped is not None
    assert first.outcomes[-1].stage == first.stopped.stage
    why = "shown in a test"
    waivers = {first.stopped.stage: why}
    second = run(first.folder, asked=Asked(to=first.stopped.stage, waivers=waivers))
    assert second.stopped is None
    assert (second.outcomes[-1].verdict, second.outcomes[-1].why) == ("waived", why)
    assert [f.rule for f in second.outcomes[-1].findings] == [f.rule for f in first.stopped.findings]
    third = run(first.folder, asked=Asked(to=first.stopped.stage))
    assert (third.outcomes[-1].verdict, third.outcomes[-1].why, third.outcomes[-1].before) == ("waived", why, True)


def test_a_waived_cause_does_not_open_the_gates_above_it(tmp_path: Path) -> None:
    examples = Path(__file__).parents[1] / "examples" / "own_module" / "softmax_twice.yaml"
    climb = run(examples, asked=Asked(waivers={"smoke": "to see what follows"}), runs=tmp_path)
    assert climb.stopped is not None
    assert climb.stopped.stage == "overfit"
    assert [symptom.rule for symptom in climb.stopped.findings[0].explains]


def test_an_allowed_rule_stops_nothing_and_is_listed(tmp_path: Path) -> None:
    first = _climbed(tmp_path, to="overfit", text=SICK)
    assert first.stopped is not None
    names = {f.rule for f in first.stopped.findings if f.severity == "error"}
    names |= {s.rule for f in first.stopped.findings for s in f.explains}
    allowed = run(tmp_path / "iris.yaml", asked=Asked(to="overfit", allow=sorted(names)), runs=tmp_path / "runs")
    assert allowed.stopped is None
    assert {f.rule for f in allowed.judgement.allowed} & names


def test_an_unknown_stage_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="the ladder's stages are data, baselines"):
        _climbed(tmp_path, to="sing")
    assert not (tmp_path / "runs").exists()


def test_a_recipe_that_cant_be_used_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(RecipeError):
        _climbed(tmp_path, text="training: {lerning_rate: 1}\n")
    with pytest.raises(RecipeError, match=r"no `data:` section"):
        _climbed(tmp_path, text="framework: {pytorch_lightning: true}\n")
    assert not (tmp_path / "runs").exists()


def test_a_changed_recipe_is_refused_with_the_difference(tmp_path: Path) -> None:
    folder = _climbed(tmp_path, to="data").folder
    path = folder / "recipe.yaml"
    path.write_text(path.read_text().replace("batch_size: 16", "batch_size: 8"))
    with pytest.raises(RunFolderError, match=r"(?s)was changed since.*-  batch_size: 16.*\+  batch_size: 8"):
        run(folder)


def test_changed_data_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _climbed(tmp_path, to="data").folder
    monkeypatch.setattr("assay.dataset.Dataset.fingerprint", lambda _: "sha256:other")
    with pytest.raises(RunFolderError, match="have changed since it started"):
        run(folder)


def test_settings_for_a_run_that_exists_are_refused(tmp_path: Path) -> None:
    folder = _climbed(tmp_path, to="data").folder
    with pytest.raises(RunFolderError, match="started with its own recipe"):
        run(folder, overrides=["training.batch_size=8"])


def test_settings_reach_the_run_with_their_origin(tmp_path: Path) -> None:
    climb = run(_recipe(tmp_path), asked=Asked(to="data"), runs=tmp_path / "runs", overrides=["training.batch_size=8"])
    assert "batch_size: 8" in (climb.folder / "recipe.yaml").read_text()
    started = Ledger(climb.folder / "ledger.jsonl").entries()[1]
    assert started.payload["origins"]["training.batch_size"] == "command line"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no run's folder"):
        run(tmp_path)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_run_goes_on_to_the_same_bits(stop: signal.Signals, tmp_path: Path) -> None:
    text = IRIS.replace("max_epochs: 8", "max_epochs: 60")
    whole = run(_recipe(tmp_path, text), asked=Asked(to="single"), runs=tmp_path / "whole")
    metrics = Path("single/seed-0/metrics.csv")
    command = [sys.executable, "-m", "assay", "run", "iris.yaml", "--to", "single"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    folder = tmp_path / "runs" / "iris-001"
    while process.poll() is None and not (folder / "single/seed-0/checkpoints/previous.ckpt").exists():
        time.sleep(0.005)
    process.send_signal(stop)
    _, said = process.communicate(timeout=60)
    if stop is signal.SIGINT and process.returncode != 0:
        assert process.returncode == 130
        assert [line for line in said.splitlines() if line] == [
            "Interrupted: `assay run runs/iris-001` goes on where it stood.",
            "Stopped: everything that was finished is kept.",
        ]
    again = run(folder, asked=Asked(to="single"))
    assert again.stopped is None
    assert (folder / metrics).read_bytes() == (whole.folder / metrics).read_bytes()


def test_what_could_not_be_looked_at_is_not_called_passed(tmp_path: Path) -> None:
    own = Path(__file__).parents[1] / "examples" / "own_module" / "recipe.yaml"
    first = run(own, asked=Asked(to="baselines"), runs=tmp_path)
    assert [outcome.verdict for outcome in first.outcomes] == ["unchecked", "unchecked"]
    assert all("people's own data modules" in outcome.evidence for outcome in first.outcomes)
    again = run(first.folder, asked=Asked(to="baselines"))
    assert [(outcome.verdict, outcome.before) for outcome in again.outcomes] == [("unchecked", True)] * 2


def test_arguments_that_dont_fit_make_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    own = "class_path: tests.stages.own_modules.Sound, init_args: {hiden: 3}"
    path.write_text(f"model: {{{own}}}\ndata: {{source: sklearn, name: digits}}\n")
    with pytest.raises(UnusableInput, match="hiden"):
        run(path, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("where", ["recipe", "command line"])
def test_an_unknown_rule_is_not_allowed(where: str, tmp_path: Path) -> None:
    path = _recipe(tmp_path, IRIS + ("allow: [split-emty]\n" if where == "recipe" else ""))
    asked = Asked(to="data", allow=["split-emty"] if where == "command line" else [])
    with pytest.raises(UnusableInput, match="no rule 'split-emty' to allow: did you mean 'split-empty'"):
        run(path, asked=asked, runs=tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
