from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.recipe.schema import InputKind
from assay.tables.columns import Conventions, read_column
from tests.tables.writing import facts, label, read, surveyed, write

PLAIN = Conventions(".", None, None)


def column(
    values: list[Any], *, name: str = "x", conventions: Conventions = PLAIN, asked: InputKind | None = None,
) -> Any:
    return read_column(pl.Series(name, values), conventions, asked=asked)


@pytest.mark.parametrize(("values", "kind"), [
    (["1.5", "2", None] * 10, "number"),
    ([f"{number * number} kg" for number in range(30)], "number"),
    (["a", "b", "a"] * 10, "category"),
    (["01", "02", "11"] * 10, "category"),
    (["2020-01-01", "2020-02-01", "2021-01-01"] * 10, "date"),
    (["20200101", "20200202", "20211231"] * 10, "date"),
    (["1 Jan 2020", "3 Feb 2020", "4 Mar 2021"] * 10, "date"),
    ([None] * 30, "empty"),
    (["na", "?"] * 15, "empty"),
    (["7"] * 30, "constant"),
    ([f"u{number:03}x" for number in range(30)], "id"),
    ([str(number) for number in range(100, 130)], "id"),
    ([f"the quick {number} brown fox jumps" for number in range(30)], "text"),
    ([f"{hour}:30" for hour in range(5)] * 6, "category"),
    ([f"{row}{seat}" for row, seat in zip(range(1, 31), "ABCDEF" * 5, strict=True)], "id"),
    ([True, False] * 15, "category"),
    ([1, 2, 3] * 10, "number"),
    ([date(2020, 1, day) for day in range(1, 31)], "date"),
    ([[1]] * 30, "nested"),
])
def test_what_a_column_is(values: list[Any], kind: str) -> None:
    assert column(values).kind == kind


def test_whole_numbers_without_repeats_are_ids_by_name_alone() -> None:
    values = [str((7 * number) % 31 + 100) for number in range(30)]
    assert column(values, name="customer_id").kind == "id"
    assert column(values, name="amount").kind == "number"


def test_a_kind_that_is_asked_for_holds() -> None:
    ids = [str(number) for number in range(30)]
    assert column(ids, asked="number").kind == "number"
    assert column(ids, asked="category").kind == "category"
    assert column([1, 2, 3] * 10, asked="category").values[0] == "1"
    assert column(["2020-01-02"] * 30, asked="date").values[0] == 18263.0


def test_numbers_as_people_write_them_are_read_with_a_notice() -> None:
    read_as = column(["$1,234.50", "$2,000.00", "12"] * 10)
    assert read_as.values[0] == 1234.5
    assert {each.form for each in read_as.readings} == {"currency", "thousands separator"}
    assert read_as.readings[0].count == 20
    assert read_as.readings[0].read_as == "$1,234.50 as 1234.5"


def test_a_column_s_own_values_tell_its_decimal_mark() -> None:
    assert column(["1.234", "12,5", "7"] * 10).values.to_list()[:3] == [1234.0, 12.5, 7.0]
    assert column(["1,234", "12.5", "7"] * 10).values.to_list()[:3] == [1234.0, 12.5, 7.0]
    assert column(["1,234"] * 10 + ["5,678"] * 10, conventions=Conventions(",", None, None)).values[0] == 1.234


def test_text_among_numbers_is_missing_and_named() -> None:
    among = column(["1", "2", "3", "4"] * 6 + ["oops"])
    assert among.kind == "number"
    assert among.values.null_count() == 1
    assert (among.readings[0].form, among.readings[0].rows, among.readings[0].read_as) == (
        "text among numbers", (24,), None)


def test_a_number_in_another_unit_is_not_read() -> None:
    mixed = column([f"{number} kg" for number in range(29)] + ["5 lb"])
    assert mixed.values.null_count() == 1
    assert any(each.read_as is None and each.examples == ("5 lb",) for each in mixed.readings)


@pytest.mark.parametrize(("others", "sentinel", "is_one"), [
    ([str(number) for number in range(40)], "-999", True),
    ([str(number) for number in range(40)], "9999", True),
    ([str(number) for number in range(-500, 500, 25)], "-999", False),
    ([str(1000 * number) for number in range(40)], "99999", False),
    ([f"{number / 40}" for number in range(40)], "99", False),
])
def test_sentinels_are_told_from_values(others: list[str], sentinel: str, is_one: bool) -> None:
    found = column([*others, sentinel, sentinel])
    assert (found.missing == (sentinel,)) is is_one
    assert found.values.null_count() == (2 if is_one else 0)
    assert any(each.form == "sentinel" for each in found.readings) is is_one


def test_what_the_recipe_calls_missing_is_missing_and_nothing_else() -> None:
    cells = [str(number) for number in range(40)] + ["-999"] * 2 + ["5"] * 3
    stated = column(cells, conventions=Conventions(".", None, ("5",)))
    assert stated.values.null_count() == 4
    assert [(each.read_as, each.stated) for each in stated.readings] == [
        ("5 as missing", True), ("-999 as a number", False)]


@pytest.mark.parametrize(("texts", "days", "form"), [
    (["31/12/2020", "01/02/2020"], [18627, 18293], "date"),
    (["12/31/2020", "01/02/2020"], [18627, 18263], "date"),
    (["3/4/2020", "5/6/2020"], [18325, 18388], "date"),
    (["3.4.2020", "5.6.2020"], [18355, 18418], "date"),
    (["2020-12-31", "30.12.2020"], [18627, 18626], "mixed dates"),
    (["2020-12-31T12:00:00Z", "2020-12-30T13:00:00+01:00"], [18627.5, 18626.5], ""),
    (["2020-12-31 06:00", "2020-12-31 18:00:00"], [18627.25, 18627.75], ""),
    (["2020-12-31 06:00:00 UTC", "2020-12-31 18:00:00 UTC"], [18627.25, 18627.75], ""),
    (["Thu, 31 Dec 2020", "Wed, 30 Dec 2020"], [18627, 18626], "date"),
    (["Thu, 31 Dec 2020 06:00:00 GMT", "Wed, 30 Dec 2020 12:00:00 GMT"], [18627.25, 18626.5], "date"),
    (["31/Dec/2020:06:00:00 +0000", "30/Dec/2020:12:00:00 +0100"], [18627.25, 18626 + 11 / 24], "date"),
    (["31st December 2020", "30th December 2020"], [18627, 18626], "date"),
])
def test_dates_are_days_since_1970(texts: list[str], days: list[float], form: str) -> None:
    dates = column(texts * 10)
    assert dates.kind == "date"
    assert dates.values.to_list()[:2] == days
    assert {each.form for each in dates.readings} == ({form} if form else set())


def test_a_date_that_could_be_two_is_called_ambiguous() -> None:
    assert column(["3/4/2020", "5/6/2020"] * 10).ambiguous
    assert not column(["13/4/2020", "5/6/2020"] * 10).ambiguous
    told = column(["3/4/2020", "5/6/2020"] * 10, conventions=Conventions(".", True, None))
    assert told.values[0] == 18355.0


CELLS = st.lists(st.none() | st.text(alphabet="0123456789.,-/:$%kgaNTn?° é", min_size=1, max_size=12).map(
    lambda text: text.strip() or None), max_size=40)


@settings(deadline=None)
@given(CELLS, st.sampled_from([None, "number", "category", "date", "leave_out"]),
       st.sampled_from([None, (), ("?", "-9")]), st.sampled_from([None, True, False]))
def test_any_cells_are_a_column(
    cells: list[str | None], asked: InputKind | None, missing: tuple[str, ...] | None, day_first: bool | None,
) -> None:
    conventions = Conventions(",", day_first, missing)
    found = read_column(pl.Series("x", cells, dtype=pl.String), conventions, asked=asked)
    assert len(found.values) == len(cells)
    assert sum(found.values.is_not_null()) <= sum(cell is not None for cell in cells)
    if asked in ("number", "date") and cells:
        assert found.values.dtype == pl.Float64


def test_columns_that_cannot_enter_are_left_out_and_named(tmp_path: Path) -> None:
    path = write(tmp_path, "row,empty,x,y", lambda rng, index: f"{index + 1},,{rng.random()},{label(rng)}")
    dataset = read(path)
    assert dataset.columns == ("x",)
    assert {each.column: each.why for each in facts(dataset).left_out} == {
        "row": "it counts the rows", "empty": "every value is missing"}


def test_a_choice_can_be_undone(tmp_path: Path) -> None:
    path = write(tmp_path, "row,x,y", lambda rng, index: f"{index + 1},{rng.random()},{label(rng)}")
    assert read(path, inputs={"row": "number"}).columns == ("row", "x")
    assert surveyed(path).data.inputs == {"row": "leave_out", "x": "number"}
    assert np.isfinite(read(path, inputs={"row": "number"}).x).all()


@pytest.mark.parametrize(("name", "kind"), [
    ("orderid", "id"), ("orderId", "id"), ("EmployeeNumber", "id"), ("order_no", "id"), ("paid", "number"),
    ("amount_paid", "number"), ("Piano", "number"),
])
def test_a_name_that_ends_in_the_letters_of_id_is_none(name: str, kind: str) -> None:
    assert column([(7919 * index) % 10007 for index in range(200)], name=name).kind == kind


def test_numbers_in_another_unit_than_most_are_named_as_unread() -> None:
    lengths = [f"{150 + index / 7:.1f} cm" if index % 3 else f"{60 + index / 9:.1f} in" for index in range(120)]
    read_as = column(lengths)
    assert read_as.kind == "number"
    assert [(each.form, each.count, each.read_as) for each in read_as.readings if each.read_as is None] == [
        ("text among numbers", 40, None)]
    houses = [f"{index}{'' if index % 3 else 'a'}" for index in range(120)]
    assert column(houses).kind == "id"
