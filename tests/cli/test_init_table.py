from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.cli import main
from assay.experiment import open_experiment
from assay.recipe.reading import read_recipe
from assay.recipe.resolving import resolve
from assay.recipe.schema import Recipe, TableData


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", *arguments])


def lines(*, header: str = "age,sex,day,person,part,y,z", rows: int = 120) -> str:
    rng = random.Random(0)
    body = [f"{rng.randint(18, 80)},{rng.choice(['f', 'm'])},2020-{rng.randint(1, 12):02}-11,p{index // 4},"
            f"{['train', 'validation', 'test'][index % 3]},{rng.choice('uv')},{rng.random():.3f}"
            for index in range(rows)]
    return "\n".join([header, *body]) + "\n"


def written(path: str = "recipe.yaml") -> tuple[Recipe, TableData]:
    recipe = read_recipe(Path(path)).recipe
    assert isinstance(recipe.data, TableData)
    return recipe, recipe.data


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(lines())


def test_a_table_s_recipe_reads_back_and_opens() -> None:
    result = run("data.csv", "--target", "y")
    assert result.exit_code == 0, result.output
    recipe, data = written()
    assert (recipe.task, data.files, data.target, data.rows, data.classes) == (
        "binary", ("data.csv",), "y", 120, ("u", "v"))
    assert data.identical_rows == "together"
    resolved = resolve(read_recipe(Path("recipe.yaml")))
    assert resolved.missing == ()
    experiment = open_experiment(resolved, folder=Path())
    assert experiment.fingerprint == data.fingerprint
    assert experiment.dataset is not None


def test_every_flag_ends_up_in_the_recipe() -> None:
    Path("test.csv").write_text(lines(rows=20))
    assert run("data.csv", "--target", "z", "--task", "regression", "--group", "person").exit_code == 0
    recipe, data = written()
    assert (recipe.task, data.group, data.split.kind) == ("regression", "person", "grouped")
    assert run("data.csv", "--target", "y", "--group", "person", "--force").exit_code == 0
    assert written()[1].split.kind == "stratified_grouped"
    assert run("data.csv", "--target", "y", "--time", "day", "--force").exit_code == 0
    assert (written()[1].time, written()[1].split.kind) == ("day", "time")
    assert run("data.csv", "--target", "y", "--split", "part", "--force").exit_code == 0
    assert (written()[1].split_column, written()[1].split.kind) == ("part", "column")
    assert run("data.csv", "--target", "y", "--test", "test.csv", "--force").exit_code == 0
    assert (written()[1].test_file, written()[1].split.test) == ("test.csv", 0.0)
    assert run("data.csv", "--target", "sex,y", "--force").exit_code == 0
    assert (written()[0].task, written()[1].target) == ("multilabel", ("sex", "y"))


def test_a_file_without_a_header() -> None:
    Path("bare.csv").write_text(lines().partition("\n")[2])
    refused = run("bare.csv")
    assert refused.exit_code == 2
    assert "its first line looks like data" in refused.output
    assert run("bare.csv", "--no-header", "--target", "c6").exit_code == 0
    assert (written()[1].header, written()[1].target) == (False, "c6")


def test_paths_are_relative_to_the_recipe() -> None:
    Path("recipes").mkdir()
    assert run("data.csv", "--target", "y", "--output", "recipes/first.yaml").exit_code == 0
    assert written("recipes/first.yaml")[1].files == ("../data.csv",)
    open_experiment(resolve(read_recipe(Path("recipes/first.yaml"))), folder=Path("recipes"))


def test_a_run_s_own_recipe_finds_the_files_from_its_folder() -> None:
    from assay.recipe.table_files import rebased

    assert run("data.csv", "--target", "y").exit_code == 0
    moved = rebased(written()[0], old=Path(), new=Path("runs/recipe-001")).data
    assert isinstance(moved, TableData)
    assert moved.files == ("../../data.csv",)
    absolute = written()[0].model_copy(update={"data": moved.model_copy(update={"files": ("/data.csv",)})})
    kept = rebased(absolute, old=Path(), new=Path("runs")).data
    assert isinstance(kept, TableData)
    assert kept.files == ("/data.csv",)


def test_every_choice_is_there_for_other_programs() -> None:
    document = json.loads(run("data.csv", "--target", "y", "--json", "-").stdout)
    chosen = {choice["path"]: choice for choice in document["result"]["choices"]}
    assert chosen["data.inputs.sex"]["value"] == "category"
    assert chosen["data.split.kind"]["status"] == "justified"


def test_names_that_yaml_could_take_for_something_else_come_through() -> None:
    header = 'value,status,a.b,"true","<script>, ""x""",y,2020'
    Path("odd.csv").write_text(lines(header=header))
    assert run("odd.csv", "--target", "y").exit_code == 0
    assert list(written()[1].inputs) == ["value", "status", "a.b", "true", '<script>, "x"', "2020"]
    assert open_experiment(resolve(read_recipe(Path("recipe.yaml"))), folder=Path()).dataset is not None


def test_strong_imbalance_weighs_the_classes() -> None:
    rare = "x,y\n" + "".join(f"{index * 7 % 101},{'b' if index % 20 == 0 else 'a'}\n" for index in range(200))
    Path("rare.csv").write_text(rare)
    assert run("rare.csv", "--target", "y").exit_code == 0
    assert written()[0].objective.class_weights == "balanced"


@pytest.mark.parametrize(("arguments", "said"), [
    (("data.csv",), "no target is named; use --target y or --target z"),
    (("data.csv", "--target", "why"), "has no column 'why', named as target; did you mean y?"),
    (("dat.csv", "--target", "y"), "dat.csv does not exist (did you mean data.csv?)"),
    (("data.csv", "none.csv", "--target", "y"), "none.csv does not exist"),
    (("data.csv", "--target", "y", "--test", "none.csv"), "none.csv does not exist"),
    (("data.csv", "--target", "y", "--task", "guess"), "'guess' is not one of"),
    (("data.csv", "--target", ","), "no target is named"),
    (("data.csv", "--target", "y,y"), "target y is named twice"),
    (("iris", "--target", "y"), "iris has its target and its columns already; --target is for tables in files."),
    (("data.csv", "--target", "y", "--task", "regression"), "holds words such as 'u', not numbers"),
])
def test_what_cannot_be_done_is_one_sentence_and_leaves_nothing(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert said in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert [each.name for each in Path().iterdir()] == ["data.csv"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 600), st.sampled_from(["", ",", '"', "\n", "\0", "é", "?", "NA", "inf", "y"])),
                min_size=1, max_size=8))
def test_a_spoilt_table_gets_a_recipe_or_one_sentence(changes: list[tuple[int, str]]) -> None:
    text = lines(rows=20)
    for place, put in changes:
        text = text[:place] + put + text[place + 1:]
    Path("spoilt.csv").write_text(text)
    result = run("spoilt.csv", "--target", "y", "--force")
    assert result.exit_code in (0, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if result.exit_code == 2:
        assert len(result.output.strip().splitlines()) == 1
