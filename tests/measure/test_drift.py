"""Drift: what is compared, with what, and what stays out of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.dataset import Dataset, Split
from assay.facts.drift import Drift
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.categories import measure_categories
from assay.measure.drift import measure_drift
from assay.rule import judge
from assay.rules.data.columns_differ import columns_differ
from assay.rules.data.split_drift import split_drift
from tests.measure.tables import parts, table

ROWS = parts(range(600), range(600, 800), range(800, 1000))


def drawn(seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1000, 5))
    return table(x, (x[:, 0] > 0).astype(np.int64))


def drift(dataset: Dataset, split: Split, name: str, *, divided: str = "random") -> Drift:
    measured = measure_drift(dataset, split, divided=divided)
    assert not isinstance(measured, Absent)
    return next(each for each in measured.drifts if each.second == name)


def said(dataset: Dataset, *, divided: str = "random", given: bool = False) -> list[str]:
    measured = measure_drift(dataset, ROWS, divided=divided, given=given)
    assert not isinstance(measured, Absent)
    return [str(each.severity) for each in judge([split_drift], FactSet.of(measured)).findings]


@pytest.mark.parametrize("seed", range(20))
def test_rows_drawn_alike_are_not_told_apart(seed: int) -> None:
    assert said(drawn(seed)) == []


def test_a_column_that_moved_is_named_first() -> None:
    dataset = drawn()
    dataset.x[ROWS.test, 3] += 1.5
    found = drift(dataset, ROWS, "test")
    assert found.auc > 0.75
    assert found.columns[0].column == "c3"
    assert abs(drift(dataset, ROWS, "validation").auc - 0.5) < 0.1


def test_a_split_that_is_meant_to_differ_is_a_note_and_a_given_file_is_not() -> None:
    dataset = drawn()
    dataset.x[ROWS.test, 3] += 1.5
    assert said(dataset) == ["warning"]
    for divided in ("time", "grouped", "column"):
        assert said(dataset, divided=divided) == ["note"]
    assert said(dataset, divided="grouped", given=True) == ["warning"]


def test_a_category_whose_share_moved_is_a_drift() -> None:
    dataset = drawn()
    codes = np.where(np.arange(1000) < 800, np.arange(1000) % 3, 2).astype(float)
    x = np.column_stack([codes, dataset.x])
    moved = replace(
        dataset, x=x, columns=("kind", *dataset.columns), kinds=("category", *["number"] * 5),
        categories={"kind": ("red", "green", "blue")},
    )
    found = drift(moved, ROWS, "test").columns[0]
    assert (found.column, found.second) == ("kind", "blue in 100%")


def test_test_labels_don_t_enter() -> None:
    dataset = drawn()
    shuffled = dataset.y.copy()
    shuffled[ROWS.test] = np.random.default_rng(1).permutation(shuffled[ROWS.test])
    assert measure_drift(dataset, ROWS, divided="random") == measure_drift(
        replace(dataset, y=shuffled), ROWS, divided="random")


def test_small_splits_are_not_compared() -> None:
    assert isinstance(measure_drift(drawn(), parts(range(900), range(900, 920)), divided="random"), Absent)


def categories(codes: np.ndarray) -> Dataset:
    names = tuple(f"shop {number}" for number in range(int(codes.max()) + 1))
    dataset = table(codes[:, None])
    return replace(dataset, columns=("shop",), kinds=("category",), categories={"shop": names})


def test_unseen_categories_are_counted_and_expected_ones_are_estimated() -> None:
    codes = np.r_[np.arange(600) % 10, np.arange(200) % 10, np.full(200, 11)]
    found = measure_categories(categories(codes), ROWS, divided="random")
    assert [(each.split, each.rows, each.expected, each.names) for each in found.unseen] == [
        ("test", 200, 0.0, ("shop 11",)),
    ]


@pytest.mark.parametrize("seed", range(10))
def test_rare_categories_that_a_random_split_misses_are_silent(seed: int) -> None:
    codes = np.random.default_rng(seed).zipf(1.4, size=1000) % 3000
    found = measure_categories(categories(codes), ROWS, divided="random")
    assert found.unseen
    assert judge([columns_differ], FactSet.of(found)).findings == ()
