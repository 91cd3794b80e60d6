from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import sources
from assay.dataset import Dataset
from assay.errors import DataError
from assay.preparation import describe, prepare, split
from assay.recipe.schema import DataBlock, SplitPlan
from assay.recipe.split_sizes import split_sizes

STANDARDISED = DataBlock(source="sklearn", name="x")


def table(x: np.ndarray, y: np.ndarray, *, classes: int) -> Dataset:
    task = "regression" if not classes else "binary" if classes == 2 else "multiclass"
    return Dataset(
        name="x", task=task, x=x.astype(np.float64), y=y, columns=tuple(f"c{i}" for i in range(x.shape[1])),
        classes=tuple(str(i) for i in range(classes)),
    )


def labelled(counts: list[int]) -> Dataset:
    y = np.repeat(np.arange(len(counts)), counts)
    return table(np.arange(len(y))[:, None], y, classes=len(counts))


class TestSplit:
    @pytest.mark.parametrize("kind", ["random", "stratified"])
    def test_every_row_stands_in_exactly_one_split(self, kind: str) -> None:
        dataset = sources.find("digits")[1]
        parts = split(dataset, SplitPlan.model_validate({"kind": kind}))
        assert sorted([*parts.train, *parts.validation, *parts.test]) == list(range(dataset.rows))
        for rows in (parts.train, parts.validation, parts.test):
            assert rows.dtype == np.int64
            assert (np.diff(rows) > 0).all()

    @given(counts=st.lists(st.integers(1, 40), min_size=2, max_size=6), seed=st.integers(0, 2**32 - 1),
           kind=st.sampled_from([None, "random", "stratified"]))
    @settings(max_examples=60, deadline=None)
    def test_sizes_are_those_that_the_recipe_promises(self, counts: list[int], seed: int, kind: str | None) -> None:
        plan = SplitPlan.model_validate({"kind": kind, "seed": seed})
        sizes = split_sizes(plan, rows=sum(counts), class_counts=counts)
        if not (sizes.train and sizes.validation):
            return
        parts = split(labelled(counts), plan)
        assert (len(parts.train), len(parts.validation), len(parts.test)) == (sizes.train, sizes.validation, sizes.test)

    def test_stratified_splits_hold_every_class_in_proportion(self) -> None:
        dataset = labelled([100, 10, 5, 1])
        parts = split(dataset, SplitPlan(kind="stratified"))
        assert list(np.bincount(dataset.y[parts.train], minlength=4)) == [60, 6, 3, 1]
        assert list(np.bincount(dataset.y[parts.validation], minlength=4)) == [20, 2, 1, 0]

    def test_the_same_plan_gives_the_same_rows_on_every_platform(self) -> None:
        parts = split(sources.find("digits")[1], SplitPlan(kind="stratified", seed=3))
        digest = hashlib.sha256(b"".join(rows.astype("<i8").tobytes() for rows in (parts.train, parts.validation)))
        assert digest.hexdigest()[:16] == "50239c7be50d3789"

    def test_another_seed_gives_another_division(self) -> None:
        dataset = sources.find("wine")[1]
        assert set(split(dataset, SplitPlan(seed=0)).train) != set(split(dataset, SplitPlan(seed=1)).train)

    def test_too_few_rows_are_refused_in_words(self) -> None:
        with pytest.raises(DataError, match="x has 2 rows, too few to train on 60% and validate on 20%"):
            split(table(np.ones((2, 1)), np.array([0.5, 1.5]), classes=0), SplitPlan())

    def test_a_regression_is_not_stratified(self) -> None:
        with pytest.raises(DataError, match="use random"):
            split(sources.find("diabetes")[1], SplitPlan(kind="stratified"))


class TestPrepare:
    def test_training_inputs_have_mean_zero_and_deviation_one(self) -> None:
        dataset = sources.find("wine")[1]
        prepared = prepare(dataset, split(dataset, SplitPlan()), STANDARDISED)
        assert prepared.train.x.dtype == np.float32
        np.testing.assert_allclose(prepared.train.x.mean(axis=0), 0, atol=1e-6)
        np.testing.assert_allclose(prepared.train.x.std(axis=0), 1, atol=1e-5)
        assert abs(prepared.validation.x.mean(axis=0)).max() > 1e-3

    @pytest.mark.parametrize("name", ["wine", "diabetes"])
    def test_test_rows_have_no_say_and_are_not_returned(self, name: str) -> None:
        dataset = sources.find(name)[1]
        parts = split(dataset, SplitPlan())
        x, y = dataset.x.copy(), dataset.y.copy()
        x[parts.test] = 1e9
        y[parts.test] = 0
        before, after = (prepare(each, parts, STANDARDISED) for each in (dataset, replace(dataset, x=x, y=y)))
        np.testing.assert_array_equal(before.train.x, after.train.x)
        np.testing.assert_array_equal(before.validation.y, after.validation.y)
        assert before.target_mean == after.target_mean
        assert not set(parts.test) & {*before.train.rows, *before.validation.rows}

    def test_validation_rows_have_no_say_either(self) -> None:
        dataset = sources.find("wine")[1]
        parts = split(dataset, SplitPlan())
        x = dataset.x.copy()
        x[parts.validation] = 1e9
        np.testing.assert_array_equal(
            prepare(dataset, parts, STANDARDISED).train.x, prepare(replace(dataset, x=x), parts, STANDARDISED).train.x
        )

    @pytest.mark.parametrize("constant", [0.0, 0.1, 1e7, -3.3])
    def test_a_column_that_is_constant_in_training_stays_silent_in_validation(self, constant: float) -> None:
        rng = np.random.default_rng(0)
        x = rng.normal(size=(100, 2))
        x[:, 1] = constant
        dataset = table(x, rng.normal(size=100), classes=0)
        parts = split(dataset, SplitPlan())
        x[parts.validation[0], 1] = 16.0
        prepared = prepare(replace(dataset, x=x), parts, STANDARDISED)
        assert (prepared.train.x[:, 1] == 0).all()
        assert (prepared.validation.x[:, 1] == 0).all()

    def test_no_pixel_of_digits_stands_further_out_than_ten_deviations(self) -> None:
        dataset = sources.find("digits")[1]
        prepared = prepare(dataset, split(dataset, SplitPlan()), STANDARDISED)
        assert max(abs(prepared.train.x).max(), abs(prepared.validation.x).max()) == 10

    def test_a_small_variation_of_a_large_value_is_kept(self) -> None:
        x = 1.7e9 + np.arange(50.0)[:, None]  # seconds since 1970, within a minute
        dataset = table(x, np.arange(50.0), classes=0)
        assert prepare(dataset, split(dataset, SplitPlan()), STANDARDISED).train.x.std() == pytest.approx(1, abs=1e-3)

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308])
    def test_what_no_network_could_take_does_not_reach_it(self, value: float) -> None:
        rng = np.random.default_rng(0)
        dataset = table(rng.normal(size=(50, 2)), rng.normal(size=50), classes=0)
        parts = split(dataset, SplitPlan())
        dataset.x[parts.validation[3], 1] = value
        dataset.x[parts.train[3], 0] = value
        prepared = prepare(dataset, parts, STANDARDISED)
        assert np.isfinite(prepared.validation.x).all()
        assert np.isfinite(prepared.train.x).all()

    def test_inputs_may_stay_as_they_are(self) -> None:
        dataset = sources.find("wine")[1]
        parts = split(dataset, SplitPlan())
        prepared = prepare(dataset, parts, STANDARDISED.model_copy(update={"scale": "none"}))
        np.testing.assert_array_equal(prepared.train.x, dataset.x[parts.train].astype(np.float32))

    def test_targets_enter_in_the_form_that_their_loss_takes(self) -> None:
        for name, dtype in (("wine", np.int64), ("breast_cancer", np.float32), ("diabetes", np.float32)):
            dataset = sources.find(name)[1]
            assert prepare(dataset, split(dataset, SplitPlan()), STANDARDISED).train.y.dtype == dtype
        binary = sources.find("breast_cancer")[1]
        assert set(prepare(binary, split(binary, SplitPlan()), STANDARDISED).train.y) == {0.0, 1.0}

    def test_regression_targets_can_be_put_back_in_their_unit(self) -> None:
        dataset = sources.find("diabetes")[1]
        parts = split(dataset, SplitPlan())
        prepared = prepare(dataset, parts, STANDARDISED)
        assert prepared.train.y.std() == pytest.approx(1, abs=1e-5)
        back = prepared.validation.y * prepared.target_scale + prepared.target_mean
        np.testing.assert_allclose(back, dataset.y[parts.validation], rtol=1e-5)

    def test_a_constant_target_divides_by_one(self) -> None:
        dataset = table(np.arange(20.0)[:, None], np.full(20, 5.0), classes=0)
        prepared = prepare(dataset, split(dataset, SplitPlan()), STANDARDISED)
        assert (prepared.train.y == 0).all()
        assert prepared.target_scale == 1.0


def test_the_data_block_tells_what_was_seen_and_nothing_fitted_on_test_rows() -> None:
    dataset = sources.find("diabetes")[1]
    block = describe(dataset, source="sklearn", plan=SplitPlan())
    assert (block.rows, block.columns, block.classes, block.class_counts) == (442, 10, None, None)
    training = dataset.y[split(dataset, SplitPlan()).train]
    assert block.target_variance == pytest.approx(training.var())
    assert block.fingerprint == dataset.fingerprint()
    wine = describe(sources.find("wine")[1], source="sklearn", plan=SplitPlan())
    assert wine.class_counts == (59, 71, 48)
    assert wine.target_variance is None
