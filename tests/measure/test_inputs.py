"""What the model sees is described as it is, and no test row is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.dataset import Dataset, Prepared
from assay.facts.encoding import read_facts, write_facts
from assay.facts.fact_set import FactSet
from assay.facts.inputs import InputFacts
from assay.measure.inputs import BINS, MOST, measure_inputs
from assay.preparation import describe, prepare, split
from assay.recipe.schema import DataBlock, SplitPlan
from assay.sources import load


def prepared(dataset: Dataset) -> Prepared:
    block = describe(dataset, source="sklearn", plan=SplitPlan())
    return prepare(dataset, split(dataset, block.split), block)


def seen(name: str) -> tuple[Dataset, Prepared, InputFacts]:
    dataset = load(DataBlock(source="sklearn", name=name))
    ready = prepared(dataset)
    return dataset, ready, measure_inputs(dataset, ready)


@pytest.mark.parametrize("name", ["digits", "iris", "breast_cancer", "diabetes"])
def test_examples_stand_as_they_enter(name: str, tmp_path: Path) -> None:
    dataset, ready, facts = seen(name)
    position = {int(row): at for at, row in enumerate(ready.train.rows)}
    for example in facts.examples:
        assert np.allclose(example.values, ready.train.x[position[example.row]], rtol=1e-5, atol=1e-9)
    assert facts.rows == len(ready.train)
    assert len({each.label for each in facts.examples}) >= max(1, len(dataset.classes))
    write_facts(tmp_path / "facts.jsonl", FactSet.of(facts))
    assert read_facts(tmp_path / "facts.jsonl").find(InputFacts) == facts


def test_digits_are_pictures_and_other_tables_are_not() -> None:
    assert seen("digits")[2].image == (8, 8)
    assert seen("wine")[2].image is None


def test_columns_are_described_as_read_over_training_rows() -> None:
    dataset, ready, facts = seen("iris")
    values = dataset.x[ready.train.rows, 2]
    column = facts.table[2]
    assert (column.name, column.smallest, column.largest) == (dataset.columns[2], values.min(), values.max())
    assert column.middle == np.median(values)
    assert sum(column.counts) == len(values)
    assert len(column.counts) == BINS


def test_test_rows_change_nothing() -> None:
    dataset, ready, facts = seen("diabetes")
    parts = split(dataset, describe(dataset, source="sklearn", plan=SplitPlan()).split)
    x, y = dataset.x.copy(), dataset.y.astype(np.float64)
    x[parts.test], y[parts.test] = 1e9, -1e9
    assert measure_inputs(replace(dataset, x=x, y=y), ready) == facts


def test_missing_values_categories_and_empty_columns() -> None:
    rows = 40
    x = np.zeros((rows, 3))
    x[:, 0] = np.where(np.arange(rows) % 4 == 0, np.nan, 5.0)
    x[:, 1] = np.arange(rows) % 2
    x[:, 2] = np.nan
    dataset = Dataset(
        name="made", task="regression", x=x, y=np.linspace(0.0, 1.0, rows), columns=("a", "b", "c"), classes=(),
        kinds=("number", "category", "number"), categories={"b": ("no", "yes")},
    )
    everything = split(dataset, SplitPlan(kind="random"))
    shown = prepare(replace(dataset, x=np.nan_to_num(x)), everything, DataBlock(source="sklearn", name="made"))
    number, category, empty = measure_inputs(dataset, replace(shown, names=())).table
    assert number.missing == pytest.approx(0.25, abs=0.15)
    assert (number.distinct, len(number.counts)) == (1, 1)
    assert set(category.levels) == {"no", "yes"}
    assert sum(category.counts) == len(everything.train)
    assert (empty.smallest, empty.missing, empty.counts) == (None, 1.0, ())


def test_a_wide_table_keeps_few_examples_and_a_narrow_one_not_too_many() -> None:
    rng = np.random.default_rng(0)
    for width, most in ((2, MOST), (3000, 4)):
        dataset = Dataset(
            name="wide", task="regression", x=rng.normal(size=(90, width)), y=rng.normal(size=90),
            columns=tuple(f"c{number}" for number in range(width)), classes=(),
        )
        facts = measure_inputs(dataset, prepared(dataset))
        assert len(facts.examples) <= most
        assert facts.columns == width
        assert len(facts.table) <= 200


def test_regression_targets_are_spread_over_training_and_validation() -> None:
    _, ready, facts = seen("diabetes")
    assert [each.split for each in facts.targets] == ["train", "validation"]
    assert sum(facts.targets[0].counts) == len(ready.train)
