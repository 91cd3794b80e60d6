"""Text without quotes, read all at once: several times faster than line by line, and no less strict."""

from __future__ import annotations

import polars as pl


def read_unquoted(text: str, *, delimiter: str, names: list[str], skip: int) -> pl.DataFrame | None:
    """The cells of a text without quotes; None where it has any, or a line isn't plainly one row of all columns.

    skip    lines before the rows: 1 for a header

    A line with too many fields fails; where none does, there are too few in none if the delimiters add up.
    """
    body = text.partition("\n")[2] if skip else text
    if '"' in text or text.count("\r") != text.count("\r\n") or body.startswith(("\n", "\r")) or "\n\n" in text:
        return None
    lines = body.count("\n") + (not body.endswith("\n"))
    if not body or "\n\r\n" in text or body.count(delimiter) != (len(names) - 1) * lines:
        return None
    try:
        frame = pl.read_csv(
            body.encode(), separator=delimiter, has_header=False, new_columns=names, infer_schema=False,
            quote_char=None,
        )
    except (pl.exceptions.PolarsError, UnicodeEncodeError):
        return None
    sound = frame.width == len(names) and frame.height == lines
    return frame.filter(~pl.all_horizontal(pl.all().str.strip_chars().fill_null("") == "")) if sound else None
