"""Marks that scalers and selectors leave, and the scale of what enters."""

from __future__ import annotations

import numpy as np
import pytest

from assay.dataset import Examples, Prepared
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.scaling import FittedFacts, InputScaleFacts, SelectionFacts
from assay.measure.fitted import measure_fitted
from assay.measure.input_scale import measure_input_scale
from assay.measure.selection import measure_selection
from assay.preparation import split
from assay.recipe.schema import SplitPlan
from assay.rule import judge
from assay.rules.data.fit_on_all import fit_on_all
from assay.rules.data.input_scale import input_scale
from assay.rules.data.selected_before_split import selected_before_split
from tests.measure.tables import table


def prepared(x: object, validation: object = ((0.0,),)) -> Prepared:
    train, held = (np.asarray(values, dtype=np.float32) for values in (x, validation))
    return Prepared(train=_examples(train), validation=_examples(held))


def _examples(x: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Examples:
    return Examples(x=x, y=np.zeros(len(x), dtype=np.int64), rows=np.arange(len(x)))


@pytest.mark.parametrize("divisor", [0, 1])
def test_either_way_of_counting_a_deviation_leaves_its_mark(divisor: int) -> None:
    x = np.random.default_rng(0).gamma(2, size=(300, 3))
    scaled = table((x - x.mean(axis=0)) / x.std(axis=0, ddof=divisor))
    facts = measure_fitted(scaled, split(scaled, SplitPlan()), None)
    assert isinstance(facts, FittedFacts)
    assert len(facts.standard) == 3
    assert len(judge([fit_on_all], FactSet.of(facts)).findings) == 1


def test_draws_of_a_standard_normal_bear_no_mark() -> None:
    for seed in range(40):
        plain = table(np.random.default_rng(seed).normal(size=(300, 4)))
        facts = measure_fitted(plain, split(plain, SplitPlan()), None)
        assert isinstance(facts, FittedFacts)
        assert judge([fit_on_all], FactSet.of(facts)).findings == ()


def test_what_enters_is_looked_at_where_what_was_read_bears_no_mark() -> None:
    rng = np.random.default_rng(0)
    plain = table(5 + 3 * rng.normal(size=(300, 3)))
    rows = split(plain, SplitPlan())
    every = np.concatenate([rows.train, rows.validation])
    entered = (plain.x - plain.x[every].mean(axis=0)) / plain.x[every].std(axis=0)
    facts = measure_fitted(plain, rows, prepared(entered[rows.train], entered[rows.validation]))
    assert isinstance(facts, FittedFacts)
    assert (facts.where, len(facts.standard)) == ("as entered", 3)


def test_flags_and_codes_are_no_numbers_to_scale() -> None:
    flags = table(np.random.default_rng(0).integers(0, 2, size=(300, 3)))
    facts = measure_fitted(flags, split(flags, SplitPlan()), None)
    assert isinstance(facts, FittedFacts)
    assert "fit-on-all" in judge([fit_on_all], FactSet.of(facts)).not_applicable


@pytest.mark.parametrize(("size", "loud"), [(1.0, False), (90.0, False), (110.0, True), (0.02, False), (0.005, True)])
def test_the_root_mean_square_decides(size: float, loud: bool) -> None:
    x = size * np.random.default_rng(0).normal(size=(2000, 2))
    facts = measure_input_scale(table(x), prepared(x), "none")
    assert isinstance(facts, InputScaleFacts)
    assert bool(judge([input_scale], FactSet.of(facts)).findings) == loud


def test_flags_alone_have_no_scale_and_peoples_own_examples_are_not_checked() -> None:
    flags = 1000.0 * np.eye(4)[:, :2]
    found = measure_input_scale(table(flags), prepared(flags), "none")
    assert isinstance(found, Absent)
    assert not found.applicable
    unseen = measure_input_scale(table(flags), None, "none")
    assert isinstance(unseen, Absent)
    assert unseen.applicable


@pytest.mark.parametrize("seed", range(6))
def test_columns_picked_by_all_labels_crowd_and_those_picked_by_training_labels_are_not_blamed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(250, 3000)), rng.integers(0, 2, size=250)
    training = split(table(x, y), SplitPlan()).train
    for rows, found in ((np.arange(250), 1), (training, 0)):
        related = np.abs((y[rows] - y[rows].mean()) @ (x[rows] - x[rows].mean(axis=0)))
        picked = table(x[:, np.argsort(-related)[:60]], y)
        facts = measure_selection(picked, split(picked, SplitPlan()))
        assert isinstance(facts, SelectionFacts)
        assert len(judge([selected_before_split], FactSet.of(facts)).findings) == found


@pytest.mark.parametrize("shift", [0.0, 0.2, 0.5, 1.0])
def test_columns_that_are_equally_informative_by_nature_are_not_blamed(shift: float) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, size=300)
        natural = table(rng.normal(size=(300, 40)) + shift * y[:, None], y)
        facts = measure_selection(natural, split(natural, SplitPlan()))
        assert isinstance(facts, SelectionFacts)
        assert judge([selected_before_split], FactSet.of(facts)).findings == ()


def test_several_classes_are_not_checked() -> None:
    many = table(np.zeros((90, 30)), np.arange(90) % 3, classes=("r", "s", "t"), task="multiclass")
    assert isinstance(measure_selection(many, split(many, SplitPlan())), Absent)
