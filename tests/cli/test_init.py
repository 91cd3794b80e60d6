from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assay.cli import main
from assay.recipe.reading import read_recipe


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments])


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_writes_a_recipe_and_says_what_it_chose_and_what_comes_next() -> None:
    result = run("iris")
    assert result.exit_code == 0
    assert read_recipe(Path("recipe.yaml")).recipe.task == "multiclass"
    assert "training.learning_rate = 0.003  (uncertain)" in result.output
    assert result.output.rstrip().endswith("Next: assay plan recipe.yaml")


def test_a_recipe_is_never_written_over_unless_forced() -> None:
    Path("recipe.yaml").write_text("mine")
    result = run("iris")
    assert result.exit_code == 2
    assert "recipe.yaml exists already and is kept; use --force" in result.output
    assert Path("recipe.yaml").read_text() == "mine"
    assert run("iris", "--force").exit_code == 0
    assert Path("recipe.yaml").read_text() != "mine"


def test_it_writes_where_it_is_told() -> None:
    assert run("wine", "--output", "wine.yaml").exit_code == 0
    assert Path("wine.yaml").exists()
    assert not Path("recipe.yaml").exists()


def test_what_was_chosen_is_there_for_other_programs() -> None:
    document = json.loads(run("iris", "--json", "-").stdout)
    assert (document["verb"], document["verdict"], document["result"]["recipe"]) == ("init", "unchecked", "recipe.yaml")
    chosen = {choice["path"]: choice for choice in document["result"]["choices"]}
    assert chosen["training.batch_size"]["value"] == 16
    assert chosen["training.batch_size"]["status"] == "uncertain"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("digts",), "no data set is named 'digts'; did you mean digits?"),
        (("iris", "--output", "."), ". is a folder; name a file"),
        (("iris", "--output", "none/recipe.yaml"), "none/recipe.yaml can't be written"),
        ((), "to look at: assay init digits"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert list(Path.cwd().iterdir()) == []
