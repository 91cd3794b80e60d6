from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.dataset import Dataset, Split
from assay.errors import DataError
from assay.preparation import Preprocessing, describe, fit_preprocessing, prepare
from assay.recipe.schema import DataBlock, SplitPlan
from tests.preparation.tables import table

DATA = DataBlock(source="table", name="x")
AS_IS = DATA.model_copy(update={"scale": "none"})
KINDS = ("number", "category", "date")


def parts(rows: int) -> Split:
    """The first 60 % train, the next 20 % validate, the rest test."""
    numbers = np.arange(rows)
    first, second = int(rows * 0.6), int(rows * 0.8)
    return Split(train=numbers[:first], validation=numbers[first:second], test=numbers[second:])


def column(values: Any, kind: str = "number", names: tuple[str, ...] = (), **more: Any) -> Dataset:
    """A table of one column."""
    return table(np.asarray(values, dtype=np.float64)[:, None], columns=("a",), kinds=(kind,),
                 categories={"a": names} if names else {}, **more)


def fitted(dataset: Dataset, data: DataBlock = DATA) -> Preprocessing:
    return fit_preprocessing(dataset, parts(dataset.rows), data)


def shown(dataset: Dataset, values: list[float]) -> dict[str, list[float]]:
    """By name the columns that these values become."""
    fit = fitted(dataset)
    inputs = fit.inputs(np.array(values, dtype=np.float64)[:, None])
    return {name: inputs[:, at].round(3).tolist() for at, name in enumerate(fit.names)}


class TestNumbers:
    def test_missing_ones_become_the_training_median_and_are_marked(self) -> None:
        values = [1.0, 2.0, np.nan, 3.0, 9.0, np.nan, 5.0, 5.0, 5.0, 5.0]
        made = shown(column(values), [2.5, np.nan])
        assert made["a is missing"] == [0, 1]
        assert made["a"][0] == made["a"][1]  # the median of 1, 2, 3 and 9

    def test_what_is_missing_in_later_rows_alone_is_filled_and_not_marked(self) -> None:
        values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, np.nan, np.nan, 5.0, 5.0]
        assert fitted(column(values)).names == ("a",)
        assert shown(column(values), [np.nan])["a"] == shown(column(values), [3.5])["a"]

    def test_a_column_that_training_rows_lack_enters_as_zero(self) -> None:
        values = [np.nan] * 6 + [1e9] * 4
        made = fitted(column(values))
        assert made.names == ("a",)
        assert (made.inputs(np.array([[1e9], [np.nan]])) == 0).all()

    def test_values_near_the_largest_that_there_are_are_scaled_like_any_other(self) -> None:
        small = np.array([-1.0, 1.0] * 10)
        np.testing.assert_allclose(fitted(column(small * 1e308)).inputs(small[:, None] * 1e308), small[:, None])

    def test_as_they_are_missing_ones_are_filled_too(self) -> None:
        values = [1.0, 2.0, np.nan, 3.0, 9.0, np.nan, 5.0, 5.0, 5.0, 5.0]
        made = fitted(column(values), AS_IS).inputs(np.array([[7.0], [np.nan], [1e300]]))
        assert made[:, 0].tolist() == [7, 2.5, np.finfo(np.float32).max]


class TestCategories:
    NAMES = ("blue", "green", "red", "pink")

    def colours(self, *counts: int) -> Dataset:
        """As many training rows of each colour, then as many others of the first as are needed."""
        codes = np.repeat(np.arange(len(counts), dtype=np.float64), counts)
        return column([*codes, *[0.0] * (len(codes) * 2 // 3 + 1)], "category", self.NAMES)

    def test_each_common_one_gets_a_column_and_rare_ones_share_one(self) -> None:
        made = shown(self.colours(40, 60, 3, 2), [0, 1, 2, 3])
        assert made == {"a = green": [0, 1, 0, 0], "a = blue": [1, 0, 0, 0], "a = other": [0, 0, 1, 1]}

    def test_what_was_never_seen_counts_as_rare(self) -> None:
        assert shown(self.colours(40, 60, 3), [3, 99])["a = other"] == [1, 1]

    def test_without_rare_ones_what_was_never_seen_is_all_zeros(self) -> None:
        assert shown(self.colours(40, 60), [2, 99, np.nan]) == {"a = green": [0, 0, 0], "a = blue": [0, 0, 0]}

    def test_missing_is_a_category_where_training_rows_lack_it(self) -> None:
        data = self.colours(40, 60)
        data.x[:10] = np.nan
        assert shown(data, [0, np.nan])["a is missing"] == [0, 1]

    def test_in_a_small_table_two_rows_are_not_rare(self) -> None:
        assert "a = other" not in fitted(self.colours(2, 10)).names

    def test_one_that_is_constant_enters_nothing(self) -> None:
        data = replace(self.colours(60), x=np.hstack([self.colours(60).x, np.arange(101)[:, None]]),
                       columns=("a", "b"), kinds=("category", "number"))
        assert fitted(data).names == ("b",)
        with pytest.raises(DataError, match="Every column of x has one value only in the training rows"):
            fitted(self.colours(60))


class TestEmbeddedCategories:
    def data(self) -> Dataset:
        """40 categories of 10 training rows, the last the commonest; then a number; a few cities are missing."""
        codes = np.concatenate([np.repeat(np.arange(40.0), 10), np.full(20, 39.0), np.full(6, np.nan)])
        codes = np.concatenate([codes, np.full(284, 40.0)])
        x = np.stack([codes, np.arange(len(codes))], axis=1)
        return table(x, columns=("city", "size"), kinds=("category", "number"),
                     categories={"city": tuple(f"city {at}" for at in range(41))})

    def test_codes_stand_last_and_count_from_the_commonest(self) -> None:
        data = self.data()
        made = fit_preprocessing(data, parts(data.rows), DATA)
        assert made.names == ("size", "city (code)")
        assert made.embedded == (42,)
        inputs = made.inputs(np.array([[39.0, 0], [0, 0], [40, 0], [np.nan, 0], [-3, 0], [1e12, 0]]))
        assert inputs[:, 1].tolist() == [1, 2, 0, 41, 0, 0]

    def test_prepared_examples_tell_the_sizes(self) -> None:
        data = self.data()
        prepared = prepare(data, parts(data.rows), DATA)
        assert prepared.embedded == (42,)
        assert prepared.validation.x[:, -1].max() < 42
        assert prepared.train.take(np.array([1])).embedded == (42,)
        block = describe(data, source="table", plan=SplitPlan())
        assert (block.columns, block.network_inputs, block.embedded) == (2, 2, block.embedded)


class TestDates:
    def test_month_and_weekday_stand_on_circles(self) -> None:
        day = np.datetime64("2024-01-01", "D").astype(int)  # a Monday
        made = shown(column(day + np.arange(400), "date"), [day, day + 91, np.nan])
        assert made["a: month (sin)"] == [0, 1, 0]
        assert made["a: month (cos)"] == [1, 0, 0]
        assert made["a: weekday (sin)"][0] == 0
        assert made["a: weekday (cos)"][0] == 1

    def test_dates_before_1970_have_their_weekday(self) -> None:
        day = np.datetime64("1899-12-31", "D").astype(int)  # a Sunday
        made = shown(column(day + np.arange(100), "date"), [day + 1])
        assert made["a: weekday (cos)"] == [1]

    def test_what_does_not_vary_is_left_out(self) -> None:
        day = np.datetime64("2024-01-01", "D").astype(int)
        assert fitted(column(day + 7 * (np.arange(10) % 3), "date")).names == ("a",)


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    rows = draw(st.integers(10, 40))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    columns = []
    for kind in kinds:
        values = {
            "number": st.floats(allow_infinity=True, width=64), "date": st.floats(-1e9, 1e9) | st.just(np.nan),
            "category": st.integers(0, 50).map(float) | st.just(np.nan),
        }[kind]
        columns.append(draw(arrays.arrays(np.float64, rows, elements=values)))
    names = tuple(f"c{at}" for at in range(len(kinds)))
    return table(np.stack(columns, axis=1), columns=names, kinds=tuple(kinds),
                 categories={name: tuple(map(str, range(51))) for name, kind in zip(names, kinds, strict=True)
                             if kind == "category"})


@given(data=tables(), scale=st.sampled_from([DATA, AS_IS]))
@settings(max_examples=150, deadline=None)
def test_whatever_stands_in_a_table_finite_numbers_enter(data: Dataset, scale: DataBlock) -> None:
    try:
        made = fitted(data, scale)
    except DataError:
        return
    inputs = made.inputs(data.x)
    assert inputs.dtype == np.float32
    assert inputs.shape == (data.rows, len(made.names))
    assert np.isfinite(inputs).all()
    codes = inputs[:, inputs.shape[1] - len(made.embedded):]
    assert ((codes >= 0) & (codes < made.embedded) & (codes == np.floor(codes))).all()


@given(data=tables())
@settings(max_examples=60, deadline=None)
def test_validation_and_test_rows_have_no_say(data: Dataset) -> None:
    rows = parts(data.rows)
    other = data.x.copy()
    other[len(rows.train):] = other[len(rows.train):][:, ::-1] * 3 if len(set(data.kinds)) == 1 else np.nan
    try:
        before = fit_preprocessing(data, rows, DATA)
    except DataError:
        return
    assert before == fit_preprocessing(replace(data, x=other), rows, DATA)


@given(data=tables())
@settings(max_examples=60, deadline=None)
def test_what_was_written_and_read_does_the_same_bit_for_bit(data: Dataset) -> None:
    try:
        made = fitted(data)
    except DataError:
        return
    read = Preprocessing.model_validate_json(made.model_dump_json())
    assert read == made
    assert read.inputs(data.x).tobytes() == made.inputs(data.x).tobytes()


class TestAnotherTable:
    def test_columns_and_categories_are_found_by_name(self) -> None:
        x = np.stack([np.arange(50) % 2, np.arange(50)], axis=1)
        first = table(x, columns=("sex", "age"), kinds=("category", "number"), categories={"sex": ("f", "m")})
        later = table([[1.0, 7, 0], [2, 7, 2], [3, 7, np.nan]], columns=("age", "more", "sex"),
                      kinds=("number", "number", "category"), categories={"sex": ("m", "x", "f")})
        made = fitted(first)
        again = made.recoded(later)
        np.testing.assert_array_equal(again, [[1, 1], [0, 2], [np.nan, 3]])
        np.testing.assert_array_equal(made.recoded(first), first.x)

    def test_a_column_that_is_not_there_is_named(self) -> None:
        made = fitted(table(np.arange(20).reshape(10, 2)))
        with pytest.raises(DataError, match="has no column named 'c1', which the model was trained on"):
            made.recoded(table(np.ones((3, 1))))

    def test_a_column_of_another_kind_is_refused(self) -> None:
        made = fitted(table(np.arange(20).reshape(10, 2)))
        with pytest.raises(DataError, match="c0 of x is read as a date, where the model was trained on a number"):
            made.recoded(table(np.ones((3, 2)), kinds=("date", "number")))
