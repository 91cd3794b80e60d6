from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.tables import delimited
from assay.tables.delimited import Cells, parse
from assay.tables.unquoted import read_unquoted
from tests.tables.writing import in_a_sentence


@pytest.mark.parametrize("text", [
    'a,b\n"1",2\n', "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n\n1,2\n", "a,b\r1,2\r", "a,b\n1,2,3\n1\n",
    "a,b\n1,2\n\r\n3,4\n", "a,b\n",
])
def test_what_is_not_plainly_rows_is_left_to_the_strict_reader(text: str) -> None:
    assert read_unquoted(text, delimiter=",", names=["a", "b"], skip=1) is None


def test_plain_rows_are_read() -> None:
    frame = read_unquoted("a,b\r\n1, x y \r\n,\r\n,é", delimiter=",", names=["a", "b"], skip=1)
    assert frame is not None
    assert frame.height == 2


@settings(deadline=None, max_examples=300)
@given(st.lists(st.lists(st.text(alphabet="ab1. é#\t\0", max_size=4), min_size=2, max_size=3), min_size=1, max_size=6),
       st.sampled_from(["\n", "\r\n"]), st.sampled_from([",", ";", "\t"]), st.booleans(), st.booleans())
def test_both_readers_say_the_same(
    rows: list[list[str]], end: str, delimiter: str, header: bool, ends: bool,
) -> None:
    text = end.join(delimiter.join(row) for row in rows) + end * ends

    def cells() -> Cells:
        return parse(text, delimiter=delimiter, header=header, name="a.csv")

    fast = in_a_sentence(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "read_unquoted", lambda *_, **__: None)
        slow = in_a_sentence(cells)
    assert (fast is None) == (slow is None)
    assert fast is None or slow is None or fast.frame.equals(slow.frame)
