"""The nearest right word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` with the nearest known word, or `; choose one of …` where none is near.

    A word's initials are near it: lr for learning_rate.
    """
    words = list(known)
    meant = [each for each in words if word.lower() == "".join(part[:1] for part in each.lower().split("_"))]
    if len(word) > 1 and len(meant) == 1:
        return f"; did you mean {meant[0]}?"
    near = difflib.get_close_matches(word.lower(), [each.lower() for each in words], n=1, cutoff=0.5)
    if near:
        return f"; did you mean {next(each for each in words if each.lower() == near[0])}?"
    return f"; choose one of {', '.join(words)}" if words else ""
