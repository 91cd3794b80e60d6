"""Text without quotes, read all at once: several times faster than line by line, and no less strict."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

CHUNK = 1 << 24
"""Bytes that are looked through at a time."""


def read_unquoted(text: str, *, delimiter: str, names: list[str], skip: int) -> pl.DataFrame | None:
    """The cells of a text without quotes; None where it has any, or a line isn't plainly one row of all columns.

    skip    lines before the rows: 1 for a header
    """
    if '"' in text or text.count("\r") != text.count("\r\n"):
        return None
    try:
        body = (text.partition("\n")[2] if skip else text).encode()
    except UnicodeEncodeError:
        return None
    if not all(_are_rows(part, ord(delimiter), len(names)) for part in _parts(body)):
        return None
    try:
        frame = pl.read_csv(
            body, separator=delimiter, has_header=False, new_columns=names, infer_schema=False, quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    sound = frame.width == len(names) and frame.height == body.count(b"\n") + (not body.endswith(b"\n"))
    return frame.filter(~pl.all_horizontal(pl.all().str.strip_chars().fill_null("") == "")) if sound else None


def _parts(body: bytes) -> Iterator[bytes]:
    """The text in pieces of whole lines; one empty piece where there is none."""
    start = 0
    while start < len(body) or start == 0:
        end = body.find(b"\n", start + CHUNK) + 1 or len(body)
        yield body[start:end]
        start = max(end, 1)


def _are_rows(part: bytes, delimiter: int, width: int) -> bool:
    """Whether every line is divided into as many fields as there are columns, and none is empty."""
    data = np.frombuffer(part if part.endswith(b"\n") else part + b"\n", dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    starts = np.concatenate([[0], ends[:-1] + 1])
    marks = np.flatnonzero(data == delimiter)
    if (data[starts] == ord("\n")).any() or (data[starts] == ord("\r")).any() or len(marks) != len(ends) * (width - 1):
        return False
    if width == 1:
        return True
    by_line = marks.reshape(len(ends), width - 1)
    return bool((by_line[:, 0] >= starts).all() and (by_line[:, -1] < ends).all())
