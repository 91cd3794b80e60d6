from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.tables.written_number import Decimal, read_written, tells_decimal


@pytest.mark.parametrize(("text", "decimal", "value", "forms"), [
    ("1,234.5", ".", 1234.5, ("thousands separator",)),
    ("1.234,5", ".", 1234.5, ("thousands separator", "decimal comma")),
    ("12,5", ".", 12.5, ("decimal comma",)),
    ("1,234", ".", 1234.0, ("thousands separator",)),
    ("1,234", ",", 1.234, ("decimal comma",)),
    ("1.234", ",", 1234.0, ("thousands separator",)),
    ("1.234", ".", 1.234, ()),
    ("0,123", ".", 0.123, ("decimal comma",)),
    ("1 234 567", ".", 1234567.0, ("thousands separator",)),
    ("1'234.5", ".", 1234.5, ("thousands separator",)),
    ("$1,234.50", ".", 1234.5, ("currency", "thousands separator")),
    ("-$5", ".", -5.0, ("currency",)),
    ("(45)", ".", -45.0, ("currency",)),
    ("12 €", ".", 12.0, ("currency",)),
    ("EUR 5", ".", 5.0, ("currency",)),
    ("12%", ".", 0.12, ("percent",)),
    ("3k", ".", 3000.0, ("unit",)),
    ("12 kg", ".", 12.0, ("unit",)),
    ("20 °C", ".", 20.0, ("unit",)),
    ("−5", ".", -5.0, ()),
])
def test_a_number_is_read_as_people_write_it(
    text: str, decimal: Decimal, value: float, forms: tuple[str, ...],
) -> None:
    read = read_written(text, decimal=decimal)
    assert read is not None
    assert read.value == pytest.approx(value, rel=1e-15)
    assert read.forms == forms


@pytest.mark.parametrize("text", ["", "abc", "5-10", "10+", "1.2.3", "192.168.1.1", "12:30", "2020-01-01", "1,2,3",
                                  "1st", "(5", "5)", "1,23,456", "0x1F", "12 kg each"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_written(text, decimal=".") is None


@pytest.mark.parametrize(("text", "mark"), [
    ("12,5", ","), ("1.234,5", ","), ("1.25", "."), ("1,234.5", "."), ("1,234,567", "."), ("1.234", None),
    ("1,234", None), ("12", None), ("x", None), ("1.2.3", None),
])
def test_the_decimal_mark_shows_where_it_can(text: str, mark: str | None) -> None:
    assert tells_decimal(text) == mark


@settings(deadline=None)
@given(st.floats(-1e9, 1e9).map(lambda number: round(number, 2)), st.sampled_from(["", "$", "€"]))
def test_thousands_with_two_decimals_read_back(number: float, sign: str) -> None:
    for text in (f"{sign}{number:,.2f}", f"{number:,.2f}".translate(str.maketrans(",.", ".,"))):
        read = read_written(text, decimal=".")
        assert read is not None
        assert read.value == pytest.approx(number, abs=1e-9)


@settings(deadline=None)
@given(st.text(alphabet="0123456789.,'()-+$%kg eE °", max_size=14), st.sampled_from([".", ","]))
def test_any_text_is_a_number_or_none(text: str, decimal: Decimal) -> None:
    read = read_written(text, decimal=decimal)
    assert read is None or isinstance(read.value, float)
    tells_decimal(text)
