"""From a file's bytes to text: which encoding, and what is no text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from assay.errors import DataError

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks; UTF-32's comes before UTF-16's, which it begins with."""

FORMATS = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet; save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet; save the sheet as CSV"),
    (b"\x1f\x8b", "compressed; unpack it first"), (b"BZh", "compressed; unpack it first"),
    (b"\xfd7zXZ", "compressed; unpack it first"), (b"(\xb5/\xfd", "compressed; unpack it first"),
    (b"\x89PNG", "a picture, not a table"), (b"\xff\xd8\xff", "a picture, not a table"),
    (b"%PDF", "a PDF; export the table as CSV"), (b"SQLite format", "a database; export the table as CSV"),
    (b"version https://git-lfs", "a pointer of Git LFS; fetch the file itself with `git lfs pull`"),
    (b"\x80\x04", "a pickle; write the table as CSV or Parquet"), (b"\x89HDF", "an HDF5 file; write the table as CSV"),
)
"""The first bytes of what people hand over by mistake."""

CONTROLS = {*range(32)} - {9, 10, 12, 13}
"""Bytes that no text holds; tab, line feed, form feed and carriage return may stand in one."""

SAMPLE = 65_536

FEWEST_LETTERS = 3
"""Letters beyond ASCII that are right in UTF-8 by chance in no other text."""


@dataclass(frozen=True)
class Decoded:
    """A file's text and the encoding that it was read with."""

    text: str
    encoding: str


def decode(content: bytes, *, name: str, stated: str | None = None) -> Decoded:
    """The text of a file.

    stated      the encoding that the recipe names; None looks for a byte order mark, then takes UTF-8 where the bytes
                are, else Windows-1252, or Latin-1 where bytes stand that Windows-1252 has no letters for

    Raises DataError where the file holds no text, or not in the encoding that is stated.
    """
    if content[:1] in (b"{", b"[") and content.rstrip()[-1:] in (b"}", b"]"):
        raise DataError(f"{name} is JSON; write the table as CSV or Parquet.")
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise DataError(f"{name} is a web page, as of an error or a login; download the table itself.")
    for mark, what in FORMATS:
        if content.startswith(mark):
            raise DataError(f"{name} is {what}.")
    if stated is not None:
        return Decoded(_as_stated(content, name, stated), stated)
    for mark, marked in MARKS:
        if content.startswith(mark):
            return Decoded(_marked(content, name, marked), marked.removesuffix("-sig"))
    guessed = _unmarked_utf16(content)
    if guessed is None and any(byte in CONTROLS for byte in set(content[:SAMPLE])):
        raise DataError(f"{name} is not text: it holds bytes that no table has; give a CSV, TSV or Parquet file.")
    if guessed is None:
        _refuse_mixed(content, name)
    for encoding in (guessed or "utf-8", "cp1252", "latin-1"):
        try:
            return Decoded(content.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 has a letter for every byte")


def _refuse_mixed(content: bytes, name: str) -> None:
    """UTF-8 with a few bytes that aren't: read as Windows-1252, every other letter would be wrong."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as fault:
        text = content.decode("utf-8", errors="replace")
        broken = text.count("\ufffd")
        letters = sum(not each.isascii() for each in text) - broken
        if letters >= FEWEST_LETTERS and letters > broken:
            line = content.count(b"\n", 0, fault.start) + 1
            raise DataError(f"{name} is UTF-8 up to line {line}, where a byte is in another encoding; save the file in "
                            "one encoding, or state it as data.encoding.") from None


def _as_stated(content: bytes, name: str, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise DataError(f"data.encoding: there is no encoding {encoding!r}; use utf-8, utf-16, cp1252 or latin-1.") \
            from None
    except UnicodeError as fault:
        where = f" (byte {fault.start})" if isinstance(fault, UnicodeDecodeError) else ""
        raise DataError(f"{name} is not in {encoding}{where}, as data.encoding says; leave it out to have it looked "
                        "for.") from None


def _marked(content: bytes, name: str, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as fault:
        raise DataError(f"{name} begins as {encoding.removesuffix('-sig')} text and is broken at byte {fault.start}; "
                        "save it again.") from None


def _unmarked_utf16(content: bytes) -> str | None:
    """UTF-16 without a mark: of plain letters every second byte is zero."""
    sample = content[: SAMPLE // 2 * 2]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    half = len(sample) / 2
    for zeros, encoding in ((sample[1::2], "utf-16-le"), (sample[0::2], "utf-16-be")):
        if zeros.count(0) > 0.7 * half:
            return encoding
    return None
