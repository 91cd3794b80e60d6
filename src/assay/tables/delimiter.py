"""Which character stands between the fields of a text table."""

from __future__ import annotations

import csv
import io
from collections import Counter
from itertools import islice

DELIMITERS = ("\t", ";", "|", ",")
"""In the order of preference where several divide all lines alike: a comma may also be a decimal point."""

LOOKED_AT = 200
"""Lines; enough to tell, and few enough that a large file costs nothing."""

SAMPLE = 1_000_000
"""Characters that these lines are taken from."""

NAMES = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma"}


def find_delimiter(text: str) -> str:
    """The delimiter that divides the first lines most evenly; a comma where none divides them."""
    if len(text) > SAMPLE:
        text = text[: text.rfind("\n", 0, SAMPLE) + 1] or text
    best, most = ",", (0.0, False, False)
    for delimiter in DELIMITERS:
        evenness = _evenness(text, delimiter)
        if evenness > most:
            best, most = delimiter, evenness
    return best


def _evenness(text: str, delimiter: str) -> tuple[float, bool, bool]:
    """The share of lines with the commonest number of fields, where there are two or more.

    Beside it, whether all quotes are closed where they should be, and whether the first line has that number too.
    """
    widths = _widths(text, delimiter, strict=True)
    closed = widths is not None
    widths = widths if widths is not None else _widths(text, delimiter, strict=False) or []
    width, lines_of_it = Counter(widths).most_common(1)[0] if widths else (0, 0)
    if width < 2:
        return 0.0, False, False
    return lines_of_it / len(widths), closed, widths[0] == width


def _widths(text: str, delimiter: str, *, strict: bool) -> list[int] | None:
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=strict)
    try:
        return [len(fields) for fields in islice(lines, LOOKED_AT) if fields]
    except csv.Error:
        return None
