from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DataError
from assay.tables.delimited import parse
from assay.tables.delimiter import find_delimiter
from tests.tables.writing import in_a_sentence


@pytest.mark.parametrize(("text", "delimiter"), [
    ("a,b\n1,2\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1,5\t2\n", "\t"), ("a|b\n1|2\n", "|"),
    ('a,b\n"x;y",1\n', ","), ("1,5;2,5;u\n2,5;3,5;v\n", ";"), ("a\n1\n", ","), ("", ","),
    ('a,"no;te"\n1,"x;\ny;"\n2,z\n', ","),
])
def test_the_delimiter_is_found(text: str, delimiter: str) -> None:
    assert find_delimiter(text) == delimiter


def test_cells_are_text_without_blanks_and_null_where_empty() -> None:
    cells = parse('name , y\n"a\n""b""" , 1\n\n  ,2\n', delimiter=",", header=True, name="a.csv")
    assert cells.frame.to_dict(as_series=False) == {"name": ['a\n"b"', None], "y": ["1", "2"]}


def test_without_a_header_columns_are_numbered() -> None:
    assert parse("1,2\n3,4\n", delimiter=",", header=False, name="a.csv").frame.rows() == [("1", "2"), ("3", "4")]


@pytest.mark.parametrize(("text", "looks"), [
    ("1.5,2,u\n3,4,v\n", True), ("a,b,y\n1,2,u\n", False), ("a,b\nx,z\n", False), ("2019,2020,y\n1,2,u\n", True),
    ("1,b\n1,2\n", False),
])
def test_a_first_line_of_data_is_noticed(text: str, looks: bool) -> None:
    assert parse(text, delimiter=",", header=True, name="a.csv").first_row_is_data is looks


def test_a_delimiter_at_the_end_of_every_line_makes_no_column() -> None:
    assert parse("a,b,\n1,2,\n", delimiter=",", header=True, name="a.csv").frame.columns == ["a", "b"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_read(end: str) -> None:
    assert parse(end.join(["a,b", "1,2", "3,4", ""]), delimiter=",", header=True, name="a.csv").frame.height == 2


@pytest.mark.parametrize(("text", "said"), [
    ("", "a.csv is empty"),
    ("\n \n", "a.csv is empty"),
    ("a,b\n", "a header and no rows"),
    ("a,a\n1,2\n", "2 columns named 'a'"),
    ("a,b\n1,2\n\n1\n", "line 4: 1 field where line 1 has 2"),
    ("a,b\n1,2,3\n", "line 2: 3 fields where line 1 has 2"),
    ("A report\n\na,b\n1,2\n", "line 3: 2 fields where line 1 has one; if line 1 is a title"),
    ('a,b\n1,"2\n3,4\n', "line 2: a quote is opened and not closed"),
    ('a,b\n1,"2" x\n', "line 2: a quote"),
    (f"{'x' * 600},b\n1,2\n", "no header"),
    (f'a,b\n"{"x" * 200_000}",2\n', "larger than any table's"),
])
def test_what_is_no_table_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse(text, delimiter=",", header=True, name="a.csv")


@settings(deadline=None)
@given(st.text(alphabet='ab1,;"\n\r \t\0', max_size=80), st.sampled_from(",;\t|"), st.booleans())
def test_any_text_is_cells_or_one_sentence(text: str, delimiter: str, header: bool) -> None:
    cells = in_a_sentence(lambda: parse(text, delimiter=delimiter, header=header, name="a.csv"))
    assert cells is None or cells.frame.height > 0
