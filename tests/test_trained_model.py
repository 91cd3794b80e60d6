"""Using a run's model: the same answers as in training, whatever form the new rows come in."""

from __future__ import annotations

import csv
import json
import random
import shutil
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import assay
from assay.cli import main
from assay.errors import DataError, RunFolderError, UnusableInput
from assay.experiment import open_experiment
from assay.recipe.reading import read_recipe
from assay.recipe.resolving import resolve
from assay.running import Asked, run
from assay.trained_model import Model, load
from assay.training.best_weights import best_module
from tests.experiments import IRIS

NAMES = tuple(load_iris().feature_names)
ISLANDS = """
task: multiclass
data: {source: table, name: birds, files: [birds.csv], target: species}
training: {max_epochs: 4, batch_size: 16, learning_rate: 1e-2}
seeds: [0, 1]
"""
PRICES = """
data: {source: table, name: prices, files: [prices.csv], target: price}
training: {max_epochs: 40, batch_size: 16, learning_rate: 1e-2}
seeds: [0, 1]
"""


def trained(folder: Path, text: str, name: str) -> Path:
    (folder / f"{name}.yaml").write_text(text)
    asked = Asked(waivers=dict.fromkeys(("data", "smoke", "overfit", "subset", "single", "seeds"), "a tiny table"))
    return run(folder / f"{name}.yaml", asked=asked, runs=folder / "runs").folder


@pytest.fixture(scope="module")
def iris(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("iris"), IRIS, "iris")


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on a table with a number that is sometimes missing, and a category."""
    folder, draw = tmp_path_factory.mktemp("birds"), random.Random(0)
    rows = ["bill,island,species"]
    for _ in range(120):
        species = draw.choice(["Adelie", "Gentoo", "Chinstrap"])
        bill = {"Adelie": 38, "Gentoo": 47, "Chinstrap": 52}[species] + draw.gauss(0, 1)
        shown = "" if draw.random() < 0.1 else f"{bill:.2f}"
        rows.append(f"{shown},{draw.choice(['Dream', 'Biscoe', 'Torgersen'])},{species}")
    (folder / "birds.csv").write_text("\n".join(rows) + "\n")
    return trained(folder, ISLANDS, "birds")


@pytest.fixture(scope="module")
def prices(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, draw = tmp_path_factory.mktemp("prices"), np.random.default_rng(0)
    rooms = draw.uniform(1, 9, 150)
    lines = [f"{room:.3f},{other:.3f},{1000 * room + 50 * other:.2f}"
             for room, other in zip(rooms, draw.normal(size=150), strict=True)]
    (folder / "prices.csv").write_text("rooms,other,price\n" + "\n".join(lines) + "\n")
    return trained(folder, PRICES, "prices")


def test_one_seed_answers_as_its_network_did_in_training(iris: Path) -> None:
    model = load(iris, seed=1)
    experiment = open_experiment(resolve(read_recipe(iris / "recipe.yaml")))
    validation = experiment.assembly.prepared.validation  # type: ignore[union-attr]  # a recipe's own examples
    module = best_module(experiment.assembly, iris, experiment.resolved.recipe, 1)
    with torch.no_grad():
        expected = module(torch.from_numpy(validation.x)).double().softmax(1).numpy()
    found = model.probabilities(load_iris().data[validation.rows])
    assert np.array_equal(found, expected)
    assert [model.classes.index(name) for name in model.predict(load_iris().data[validation.rows])] == \
        expected.argmax(1).tolist()


def test_all_seeds_answer_by_their_mean(iris: Path) -> None:
    x = load_iris().data
    together = load(iris)
    single = [load(iris, seed=seed).probabilities(x) for seed in (0, 1)]
    assert together.seeds == (0, 1)
    assert np.allclose(together.probabilities(x), np.mean(single, axis=0), rtol=0, atol=1e-15)
    assert (together.predict(x) == load_iris().target_names[load_iris().target]).mean() > 0.9


def test_the_forms_of_a_table_are_one(iris: Path, tmp_path: Path) -> None:
    x = load_iris().data
    model = load(iris)
    expected = model.probabilities(x)
    frame = pl.DataFrame(x, schema=list(NAMES))
    frame.select(list(reversed(NAMES))).write_csv(tmp_path / "new.csv")
    frame.write_parquet(tmp_path / "new.parquet")
    for table in (frame, {name: x[:, at] for at, name in enumerate(NAMES)}, tmp_path / "new.csv",
                  str(tmp_path / "new.parquet"), {name: [str(v) for v in x[:, at]] for at, name in enumerate(NAMES)}):
        assert np.array_equal(model.probabilities(table), expected)


def test_the_data_are_not_needed(birds: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(birds, moved)
    assert set(load(moved).predict({"bill": [38.0, 52.0], "island": ["Dream", "Dream"]})) == {"Adelie", "Chinstrap"}


def test_the_network_is_a_module_of_torch_that_is_not_trained_by_chance(iris: Path) -> None:
    model = assay.load(iris)
    assert isinstance(model, Model)
    assert isinstance(model.network, torch.nn.Module)
    assert not model.network.training
    assert not any(weight.requires_grad for weight in model.network.parameters())
    assert model.columns == NAMES
    assert model.task == "multiclass"


def test_missing_values_and_new_categories_are_answered_and_told(birds: Path) -> None:
    table = {"bill": [None, 47.0, 38.0], "island": ["Dream", "Mars", None], "note": ["a", "b", "c"]}
    answers = load(birds).answer(table)
    assert np.isfinite(answers.probabilities).all()  # type: ignore[arg-type]  # classes have probabilities
    assert np.allclose(answers.probabilities.sum(1), 1)  # type: ignore[union-attr]
    assert "not used: note" in answers.notices
    assert any(notice.startswith("island: never seen in training") and "Mars" in notice for notice in answers.notices)


def test_numbers_are_read_as_people_write_them(birds: Path) -> None:
    model = load(birds)
    plain = model.probabilities({"bill": ["38.5"], "island": ["Dream"]})
    assert np.array_equal(model.probabilities({"bill": ["38.5 mm"], "island": [" Dream "]}), plain)
    unread = model.answer({"bill": ["long", "38.5"], "island": ["Dream", "Dream"]})
    assert any("can't be read, so missing" in notice for notice in unread.notices)


def test_a_regression_answers_in_its_own_unit(prices: Path) -> None:
    model = load(prices)
    assert model.predict({"rooms": [2.0, 8.0], "other": [0, 0]}) == pytest.approx([2000, 8000], rel=0.2)
    assert model.classes == ()
    with pytest.raises(UnusableInput, match="has no probabilities"):
        model.probabilities({"rooms": [2.0], "other": [0.0]})


@pytest.mark.parametrize(("table", "said"), [
    ({"bill": [1.0]}, r"the table has no column 'island', which the model was trained on; its columns are bill\."),
    ({"bil": [1.0], "island": ["Dream"]}, r"no column 'bill'.*did you mean bil\?"),
    ("missing.csv", "missing.csv does not exist"),
    ([1, 2, 3], "a list is no table"),
    (np.zeros((2, 2)), "the column island is no number"),
    ({"bill": [[1.0]], "island": ["Dream"]}, "the column bill holds"),
])
def test_a_table_that_cant_be_used_is_refused_in_one_sentence(birds: Path, table: object, said: str) -> None:
    with pytest.raises(DataError, match=said):
        load(birds).predict(table)


def test_dates_that_dont_tell_day_from_month_are_refused(tmp_path: Path) -> None:
    draw = random.Random(2)
    days = [f"{draw.randint(1, 28)}/{draw.randint(1, 12)}/2020" for _ in range(90)]
    rows = [f"{day},{'late' if int(day.split('/')[1]) > 6 else 'early'}" for day in days]
    (tmp_path / "days.csv").write_text("\n".join(["day,half", *rows]) + "\n")
    text = "data: {source: table, name: days, files: [days.csv], target: half}\n"
    model = load(trained(tmp_path, text + "training: {max_epochs: 60, learning_rate: 1e-2}\nseeds: [0]\n", "days"))
    assert model.predict({"day": ["2020-02-03", "2020-11-03"]}).tolist() == ["early", "late"]
    assert np.array_equal(model.probabilities({"day": ["13/2/2020"]}), model.probabilities({"day": ["2020-02-13"]}))
    with pytest.raises(DataError, match="could have day and month the other way round"):
        model.predict({"day": ["3/2/2020"]})


def test_an_array_of_another_shape_is_refused(iris: Path) -> None:
    for array in (np.zeros((2, 3)), np.zeros(4), np.array([["a"] * 4])):
        with pytest.raises(DataError, match=r"numbers of shape \[n, 4\] are needed"):
            load(iris).predict(array)


def test_a_table_without_a_header_must_have_all_columns_or_names(tmp_path: Path) -> None:
    draw = random.Random(1)
    lines = []
    for number in range(90):
        label = number % 2
        lines.append(f"{'yes' if label else 'no'},{draw.gauss(3 * label, 1):.3f},{draw.gauss(0, 1):.3f}")
    (tmp_path / "bare.csv").write_text("\n".join(lines) + "\n")
    text = "data: {source: table, name: bare, files: [bare.csv], target: c1, header: false}\n"
    model = load(trained(tmp_path, text + "training: {max_epochs: 3, batch_size: 16}\nseeds: [0]\n", "bare"))
    new = tmp_path / "new.csv"
    new.write_text("\n".join(lines[:5]) + "\n")
    whole = model.probabilities(new)
    new.write_text("\n".join("," + line.partition(",")[2] for line in lines[:5]) + "\n")
    assert np.array_equal(model.probabilities(new), whole)
    new.write_text("\n".join(["c2,c3", *(line.partition(",")[2] for line in lines[:5])]) + "\n")
    assert np.array_equal(model.probabilities(new), whole)
    new.write_text("\n".join(line.partition(",")[2] for line in lines[:5]) + "\n")
    with pytest.raises(DataError, match=r"has 2 columns where the table without a header .* had 3"):
        model.predict(new)


def test_a_run_without_a_model_is_refused(iris: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="no best weights of seed 7; it has those of 0, 1"):
        load(iris, seed=7)
    (tmp_path / "iris.yaml").write_text(IRIS)
    early = run(tmp_path / "iris.yaml", asked=Asked(to="data"), runs=tmp_path / "runs").folder
    with pytest.raises(RunFolderError, match="holds no best checkpoint"):
        load(early)
    with pytest.raises(RunFolderError, match="There is no run"):
        load(tmp_path / "nowhere")


def test_a_seed_whose_best_weights_were_deleted_is_missed(iris: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(iris, tmp_path / "iris"))
    shutil.rmtree(folder / "seeds" / "seed-1" / "checkpoints")
    with pytest.raises(RunFolderError, match="missing, though seed 1 was trained and scored"):
        load(folder)


def test_digests_that_are_no_text_are_damage(iris: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(iris, tmp_path / "iris"))
    (folder / "single" / "seed-0" / "checkpoints" / "best.ckpt.sha256").write_bytes(b"\xff\xfe\n")
    with pytest.raises(RunFolderError, match="is damaged"):
        load(folder)


def test_a_signature_that_was_changed_is_refused(iris: Path, tmp_path: Path) -> None:
    shutil.copytree(iris, tmp_path / "run")
    path = tmp_path / "run" / "signature.json"
    path.write_text(path.read_text().replace("setosa", "rosetta"))
    with pytest.raises(RunFolderError, match="was changed since the run started"):
        load(tmp_path / "run")
    path.unlink()
    with pytest.raises(RunFolderError, match="can't be read"):
        load(tmp_path / "run")


def test_people_s_own_module_comes_as_the_network_with_its_best_weights(tmp_path: Path) -> None:
    text = """
task: multiclass
data: {source: sklearn, name: digits}
model: {class_path: tests.training.own_classes.Net}
training: {max_epochs: 1}
checkpointing: {monitor: val_acc, mode: max}
seeds: [0]
"""
    folder = trained(tmp_path, text, "own")
    model = load(folder)
    saved = torch.load(folder / "single/seed-0/checkpoints/best.ckpt", weights_only=True)["state_dict"]
    assert type(model.network).__name__ == "Net"
    assert all(torch.equal(value, saved[name]) for name, value in model.network.state_dict().items())
    with pytest.raises(UnusableInput, match="trained a class of your own"):
        model.predict(np.zeros((1, 64)))


def verb(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    return int(ended.value.code or 0)


def test_the_verb_writes_a_table(birds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text('id,island,bill\n"a,1",Dream,38\nb2,Mars,\n')
    assert verb("predict", birds, new, "-o", out, "--keep", "id", "--json", tmp_path / "out.json") == 0
    said = capsys.readouterr()
    assert "2 rows predicted by 2 seeds together" in said.out
    assert "Notice: not used: id" in said.err
    with out.open() as file:
        first, second = csv.DictReader(file)
    assert (first["row"], first["id"], first["prediction"]) == ("1", "a,1", "Adelie")
    assert second["id"] == "b2"
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["result"]["predicted"] == [first["prediction"], second["prediction"]]
    exact = load(birds).probabilities(new)
    assert [float(first[f"probability of {name}"]) for name in document["result"]["classes"]] == exact[0].tolist()


def test_the_verb_keeps_what_is_there(birds: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text("island,bill\nDream,38\n")
    out.write_text("mine")
    assert verb("predict", birds, new, "-o", out) == 2
    assert verb("predict", birds, new, "-o", new, "--force") == 2
    assert verb("predict", birds, new, "-o", tmp_path) == 2
    assert verb("predict", birds, new, "-o", "-", "--json", "-") == 2
    assert verb("predict", birds, new, "-o", out, "--force", "--json", out) == 2
    assert verb("predict", birds, new, "-o", out, "--force", "--json", tmp_path) == 2
    assert verb("predict", birds, new, "-o", "-", "--keep", "id") == 2
    assert verb("predict", tmp_path / "no", new) == 2
    said = capsys.readouterr()
    assert out.read_text() == "mine"
    assert said.err.count("\n") == 8
    assert verb("predict", birds, new, "-o", out, "--force") == 0
    assert verb("predict", birds, new, "-o", "-") == 0
    assert capsys.readouterr().out.splitlines()[-2].startswith("row,prediction,probability of Adelie")


def sound(birds: Path, table: object, rows: int | None = None) -> bool:
    """Whether the table was answered, by probabilities, or else refused in one sentence."""
    model = load(birds, seed=0)
    try:
        answers = model.answer(table)
    except DataError as refused:
        return len(str(refused).splitlines()) == 1
    finite = answers.probabilities is not None and bool(np.isfinite(answers.probabilities).all())
    return finite and rows in (None, len(answers.predicted))


anything = st.none() | st.floats() | st.text(max_size=12) | st.integers(-10**30, 10**30)


@settings(max_examples=60, deadline=None)
@given(bills=st.lists(anything, min_size=1, max_size=6), island=st.none() | st.text(max_size=12))
def test_whatever_stands_in_a_table_is_answered_or_refused(
    birds: Path, bills: list[object], island: str | None,
) -> None:
    assert sound(birds, {"bill": bills, "island": [island] * len(bills)}, len(bills))


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=80) | st.text(alphabet='bil,isan\n"1.5;\t', max_size=80).map(
    lambda text: f"bill,island\n{text}".encode()))
def test_whatever_stands_in_a_file_is_answered_or_refused(birds: Path, content: bytes) -> None:
    path = birds / "fuzzed.csv"
    path.write_bytes(content)
    assert sound(birds, path)
