from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assay.cli import main
from assay.drafting import draft
from assay.recipe.plan import SECTIONS
from assay.sources import find

HEAVY = ("torch", "numpy", "polars", "lightning", "pytorch_lightning", "sklearn", "plotly", "rich")
IMBALANCED = """\
data: {source: sklearn, name: x, rows: 1000, columns: 3, classes: [rare, common], class_counts: [50, 950]}
checkpointing: {monitor: val_accuracy, mode: max}
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["plan", *arguments])


@pytest.fixture
def digits(tmp_path: Path) -> str:
    source, dataset = find("digits")
    path = tmp_path / "recipe.yaml"
    path.write_text(draft(dataset, source=source).text())
    return str(path)


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "recipe.yaml"
    path.write_text(text)
    return str(path)


def test_it_shows_the_nine_sections_in_order_and_nothing_that_only_a_terminal_reads(digits: str) -> None:
    result = run(digits)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [line for line in lines if line in SECTIONS] == list(SECTIONS)
    assert "\x1b" not in result.output
    assert "  parameters: 9,610  (64·128 + 128 + 128·10 + 10)" in lines
    assert "  expected first loss: 2.303  (log 10: every class equally likely)" in lines
    assert "Choices: justified" in lines
    assert "Missing" not in lines


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    result = run(written(tmp_path, "training: {learning_rate: 1e-3}\n"))
    assert result.exit_code == 0
    assert "  - data: no examples are named; add a `data:` block" in result.output


def test_values_from_the_command_line_take_effect_and_are_named_as_such(digits: str) -> None:
    result = run(digits, "--set", "training.learning_rate=1e-2", "--set", "training.batch_size=64")
    assert "  learning rate: 0.01  (command line)" in result.output
    assert "  steps an epoch: 17" in result.output


def test_the_document_has_the_common_form(digits: str, tmp_path: Path) -> None:
    target = tmp_path / "plan.json"
    assert run(digits, "--json", str(target)).exit_code == 0
    document = json.loads(target.read_text())
    assert (document["verb"], document["verdict"], document["findings"]) == ("plan", "pass", [])
    assert document["result"]["derived"]["total_steps"]["value"] == 2040
    assert list(document["result"]["sections"]) == list(SECTIONS)
    assert document["result"]["cost"]["seconds"] > 0


def test_the_document_alone_stands_on_standard_output(digits: str) -> None:
    assert json.loads(run(digits, "--json", "-").stdout)["verb"] == "plan"


def test_where_nothing_can_be_judged_the_verdict_says_so(tmp_path: Path) -> None:
    document = json.loads(run(written(tmp_path, "seeds: [0]\n"), "--json", "-").stdout)
    assert document["verdict"] == "unchecked"
    assert {entry["rule"] for entry in document["rules"]["not_checked"]} == {
        "class-imbalance", "label-missing-class", "split-empty",
    }


def test_accuracy_alone_on_imbalanced_classes_is_a_warning(tmp_path: Path) -> None:
    result = run(written(tmp_path, IMBALANCED))
    assert result.exit_code == 0
    assert "warning class-imbalance: accuracy selects the model" in result.output
    assert "class-imbalance" not in run(written(tmp_path, IMBALANCED.replace("accuracy", "macro_f1"))).output
    allowed = run(written(tmp_path, IMBALANCED + "allow: [class-imbalance]\n")).output
    assert "Warnings" not in allowed
    assert "Allowed\n  - warning class-imbalance" in allowed


def test_a_class_that_no_validation_row_has_is_an_error(tmp_path: Path) -> None:
    text = IMBALANCED.replace("[50, 950]", "[1, 999]").replace("accuracy", "macro_f1")
    result = run(written(tmp_path, text))
    assert result.exit_code == 1
    assert "error label-missing-class: the validation split has no examples of rare" in result.output


@pytest.mark.parametrize("split", ["random", "stratified"])
def test_a_random_split_promises_no_counts_of_classes(tmp_path: Path, split: str) -> None:
    text = IMBALANCED.replace("rows:", f"split: {{kind: {split}}}, rows:").replace("[50, 950]", "[1, 999]")
    document = json.loads(run(written(tmp_path, text), "--json", "-").stdout)
    assert document["rules"]["broken"] == []
    assert any(finding["rule"] == "label-missing-class" for finding in document["findings"]) == (split == "stratified")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("training:\n\tmax_epochs: 3\n", "line 2: the line is indented with a tab"),
        ("trainin: {}\n", "did you mean training?"),
        ("seeds: !!python/object/apply:os.system ['true']\n", "carries the tag"),
    ],
)
def test_an_unusable_recipe_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    result = run(written(tmp_path, text))
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_recipe_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    result = run(str(tmp_path / "none.yaml"))
    assert result.exit_code == 2
    assert "does not exist; make a recipe with `assay init NAME`" in result.output


def imported(program: str) -> set[str]:
    """Which of the heavy packages a Python program imports."""
    told = f"{program}\nimport sys; print('HEAVY', *[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split()[1:])


def planning(recipe: str, *arguments: str) -> str:
    return ("from assay.cli import main\n"
            f"try: main({['plan', recipe, *arguments]!r})\n"
            "except SystemExit as end: assert not end.code, end.code\n")


def test_planning_imports_nothing_heavy(digits: str) -> None:
    assert imported(planning(digits, "--json", "-")) == set()
    assert imported(planning(digits)) == set()


def test_the_look_at_imports_can_fail(digits: str) -> None:
    assert imported("import numpy\n" + planning(digits)) == {"numpy"}


def test_columns_are_shown_on_a_terminal(
    digits: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from assay.cli.plan import command

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    command.callback(recipe=Path(digits), settings=(), target=None)  # type: ignore[misc]
    shown = capsys.readouterr().out
    assert all(len(line) <= 100 for line in shown.splitlines() if "\x1b" not in line)
    assert "Scale-Up Plan" in shown


def test_what_only_the_data_can_tell_is_not_called_none(tmp_path: Path) -> None:
    lines = run(written(tmp_path, "data: {source: sklearn, name: digits}\n")).output.splitlines()
    for name in ("loss", "metrics", "best weights by", "mode"):
        assert f"  {name}: not known yet  (follows from the task)" in lines
    assert "  model.hidden: 128  (default)" in lines
    assert "  model.name: mlp  (the simplest network that is not linear)" in lines


def test_a_value_that_nobody_gave_a_reason_for_says_where_it_came_from(tmp_path: Path) -> None:
    lines = run(written(tmp_path, "training: {batch_size: 16}\n")).output.splitlines()
    assert "  training.batch_size: 16  (no reason given; recipe)" in lines


def test_data_of_ones_own_decide_their_batches(tmp_path: Path) -> None:
    own = "model: {class_path: a.B}\ndata: {class_path: a.C}\ncheckpointing: {monitor: val_loss, mode: min}\n"
    result = run(written(tmp_path, own))
    assert "  task: the model's own" in result.output
    assert "data.rows" not in result.output
    assert "batch size" not in result.output
    assert "Warnings" not in result.output
    said = run(written(tmp_path, own + "training: {batch_size: 16}\n"))
    assert "training.batch_size: not used, since data is a class of your own" in said.output
