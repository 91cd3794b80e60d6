"""What README and docs show is true: commands print what is shown, code runs, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import math
import os
import re
import subprocess
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assay.experiment import open_experiment
from assay.facts.fact import Place, Schedule
from assay.facts.fact_set import FactSet
from assay.facts.optimizer import GroupRecord, OptimizerFacts, OptimizerRecord
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import resolve
from assay.rule import judge
from assay.running import run
from assay.stage import Ground
from tests.syntax import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CHECK = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Command:
    """A command that a page shows, and the output shown under it."""

    line: str
    shown: str


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[Command]:
    """The commands of all console blocks, in order."""
    found = []
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            found.append(Command(line, shown))
    return found


def files(text: str) -> dict[str, str]:
    """The programs that a page names just before showing them."""
    return dict(re.findall(r"`(\w+\.py)`:\n\n```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))


def code_of(page: str) -> str:
    """The one python block of a page."""
    (block,) = blocks((ROOT / "docs" / page).read_text(), "python")
    return block


def module(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The code as a module of this name."""
    made = types.ModuleType(name)
    monkeypatch.setitem(sys.modules, name, made)
    exec(compile(text, name, "exec"), vars(made))
    return made


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment in which `assay` is the one under test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "assay").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assay "$@"\n')
    (folder / "assay").chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1", "COLUMNS": "120",
            "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page.read_text())], ids=lambda page: page.name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, program in files(page.read_text()).items():
        (folder / name).write_text(program)
    for command in commands(page.read_text()):
        done = subprocess.run(
            ["bash", "-c", command.line], cwd=folder, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "Traceback" not in done.stdout
        assert doctest.OutputChecker().check_output(command.shown, done.stdout, CHECK), (command, done.stdout)


def test_output_that_differs_would_be_seen() -> None:
    assert not doctest.OutputChecker().check_output("a\n...\nc\n", "a\nb\n", CHECK)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {page for page in pages if f"({page})" not in index} == set()


def test_the_recipe_s_reference_is_the_schema_s() -> None:
    spec = importlib.util.spec_from_file_location("recipe_reference", ROOT / "docs" / "recipe_reference.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (ROOT / "docs" / "recipe.md").read_text() == script.reference(), "run `python docs/recipe_reference.py`"


def test_the_rule_that_is_shown_works(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = module("mypackage.optimizer.negative_rate", code_of("writing-a-rule.md"), monkeypatch)
    source = code_of("writing-a-rule.md")
    assert source.startswith('"""')

    def found(rate: float) -> list[str]:
        group = GroupRecord(learning_rate=rate, weight_decay=0.0, kinds={"weight": 1}, named=())
        record = OptimizerRecord(
            kind="SGD", place=Place("train.py", 3), step_place=None, backward_place=None, groups=(group,), steps=1,
            compared=0, not_cleared=0, gradient_norms=(1.0,),
        )
        facts = FactSet.of(OptimizerFacts(optimizers=(record,), schedule=Schedule(dense=4)))
        judgement = judge([rule.negative_rate], facts)
        assert not judgement.broken
        return [finding.rule for finding in judgement.findings]

    assert found(-0.1) == ["negative-rate"]
    assert found(0.1) == []
    assert found(0.0) == []


def test_the_source_that_is_shown_works(monkeypatch: pytest.MonkeyPatch) -> None:
    source = module("assay.sources.moons", code_of("adding-a-source.md"), monkeypatch)
    first, second = (source.read(*source.names()) for _ in range(2))
    assert first.x.shape == (400, 2)
    assert first.x.dtype == np.float64
    assert first.fingerprint() == second.fingerprint()


def test_the_stage_that_is_shown_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = module("assay.stages.answers_alike", code_of("adding-a-stage.md"), monkeypatch).answers_alike
    assert shown.name == "answers_alike"
    experiment = open_experiment(resolve(parse_recipe("data: {source: sklearn, name: iris}")))
    measured = shown.measure(Ground(
        recipe=experiment.resolved.recipe, assembly=experiment.assembly, folder=tmp_path, earlier=FactSet(),
        report=lambda _: None,
    ))
    (fact,) = measured.facts
    assert fact.largest_difference == 0.0
    assert fact.rows > 0
    assert math.isfinite(fact.spread)


def test_what_is_shown_from_python_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = "data: {source: sklearn, name: iris}\ntraining: {max_epochs: 3, batch_size: 16}\n"
    (tmp_path / "recipe.yaml").write_text(recipe)
    watching, climbing = blocks((ROOT / "docs" / "from-python.md").read_text(), "python")
    seen = module("watching", watching, monkeypatch).seen
    assert [finding.rule for finding in seen.judgement.findings] == ["loss-on-probabilities"]
    climb = module("climbing", climbing, monkeypatch).climb
    assert climb.folder.is_dir()
    assert climb.outcomes[0].stage == "data"


def test_the_preflight_that_is_shown_works(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = blocks((ROOT / "docs" / "preflight.md").read_text(), "python")[0]
    result = module("checking", shown, monkeypatch).result
    assert [finding.rule for finding in result.findings] == ["loss-on-probabilities"]


def test_the_model_that_is_used_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = "data: {source: sklearn, name: iris}\ntraining: {max_epochs: 8, batch_size: 16, learning_rate: 1e-2}\n"
    (tmp_path / "recipe.yaml").write_text(recipe)
    run("recipe.yaml")
    model = module("using", code_of("using-a-model.md"), monkeypatch).model
    assert model.columns[0] == "sepal length (cm)"


def readme_commands() -> list[str]:
    return [line for block in blocks((ROOT / "README.md").read_text(), "sh") for line in block.splitlines()]


def test_the_readme_s_commands_make_their_own_environment() -> None:
    climb, test = readme_commands()
    for command in (climb, test):
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -q torch==")
        assert "-c constraints.txt" in command
    assert climb.endswith(".venv/bin/assay init digits && .venv/bin/assay run recipe.yaml")
    assert test.endswith(".venv/bin/pytest"), "the check that every change must pass looks it up by its end"
