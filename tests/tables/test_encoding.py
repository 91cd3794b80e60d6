from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import DataError
from assay.tables.encoding import decode
from tests.tables.writing import in_a_sentence

TEXT = "größe,y\n1,schön\n2,häßlich\n"


@pytest.mark.parametrize(("encoding", "said"), [
    ("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16-le"),
    ("utf-16-be", "utf-16-be"), ("utf-32", "utf-32"), ("cp1252", "cp1252"),
])
def test_the_encoding_is_found(encoding: str, said: str) -> None:
    decoded = decode(TEXT.encode(encoding), name="a.csv")
    assert decoded.text == TEXT
    assert decoded.encoding == said


def test_what_windows_has_no_letter_for_is_read_as_latin_1() -> None:
    assert decode(b"a,\x81\n", name="a.csv").encoding == "latin-1"


@pytest.mark.parametrize(("content", "said"), [
    (b"PK\x03\x04rest", "a.csv is a zip archive or a spreadsheet; save the sheet as CSV"),
    (b"\x1f\x8b\x08rest", "compressed; unpack it first"),
    (b"\x89PNG\r\n", "a picture"),
    (bytes(range(256)), "is not text"),
    (b'[{"a": 1}]\n', "is JSON"),
    (b"\n<!DOCTYPE html><html><body>404, not found</body></html>", "is a web page"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\n", "a pointer of Git LFS"),
    (TEXT.encode() + "3,schön\n".encode() + "4,schön\n".encode("cp1252"), "is UTF-8 up to line 5"),
    (b"\xff\xfea\x00b", "broken at byte"),
])
def test_what_is_no_text_is_one_sentence(content: bytes, said: str) -> None:
    with pytest.raises(DataError, match=said):
        decode(content, name="a.csv")


@pytest.mark.parametrize(("content", "encoding", "said"), [
    (TEXT.encode("cp1252"), "utf-8", "a.csv is not in utf-8 .byte 2., as data.encoding says"),
    (b"a", "klingon", "there is no encoding 'klingon'"),
])
def test_a_stated_encoding_that_is_wrong_is_told(content: bytes, encoding: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        decode(content, name="a.csv", stated=encoding)


def test_a_stated_encoding_leaves_the_mark_out() -> None:
    assert decode("\ufeffa".encode(), name="a.csv", stated="utf-8").text == "a"


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16", "latin-1", "rot13", "zlib"]))
def test_any_bytes_are_text_or_one_sentence(content: bytes, stated: str | None) -> None:
    decoded = in_a_sentence(lambda: decode(content, name="a.csv", stated=stated))
    assert decoded is None or isinstance(decoded.text, str)
