"""Values that stand for "missing": words, and numbers that no measurement gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

WORDS = ("na", "n/a", "#n/a", "<na>", "n.a.", "nan", "null", "?")
"""In any column."""

NUMBER_WORDS = (*WORDS, "none", "nil", "unknown", "missing", "not available", "-", "--", ".", "#value!", "#ref!",
                "#div/0!", "#num!", "undefined", "tbd")
"""Beside numbers and dates, where a word is no value of its own."""

SENTINELS = (*(sign * float("9" * digits) for digits in range(2, 7) for sign in (-1, 1)), -1e30, 1e30, -9998.0)
"""What instruments and old programs write for "no value"."""

FEWEST_POSITIVE_DIGITS = 999.0
TIMES_BEYOND = 5.0
"""A positive run of nines is a sentinel where it is this many times the largest other value: 99,999 of a capital gain
next to 41,310 is a cap."""

FEWEST_OTHERS = 5


def missing_words(cells: pl.Series, *, words: Sequence[str], exact: Sequence[str] | None) -> list[str]:
    """The texts of a column that mean "missing", as they are spelled there.

    exact   what the recipe calls missing: these and no others
    """
    present = cells.drop_nulls()
    if exact is not None:
        return present.filter(present.is_in(list(exact))).unique(maintain_order=True).to_list()
    return present.filter(present.str.to_lowercase().is_in(list(words))).unique(maintain_order=True).to_list()


def sentinels(values: pl.Series, *, exact: Sequence[str] | None) -> list[float]:
    """The numbers of a column that stand for "missing".

    A run of nines that is far from all other values: below them all by more than their range (and a range of 1 at
    least), or at least five times as large as the largest. It stands twice or more, so that one odd value stays one.
    """
    known = values.drop_nulls().filter(values.drop_nulls().is_finite())
    if exact is not None:
        return [each for each in _numbers(exact) if (known == each).any()]
    candidates = [each for each in SENTINELS if (known == each).sum() >= 2]
    if not candidates:
        return []
    others = known.filter(~known.is_in(candidates)).to_numpy()
    return [each for each in candidates if len(others) >= FEWEST_OTHERS and _far(each, others)]


def _far(candidate: float, others: np.ndarray) -> bool:
    smallest, largest = float(others.min()), float(others.max())
    if candidate < 0:
        return candidate < smallest - max(largest - smallest, 1.0) or (candidate <= -99 and smallest >= 0)
    return candidate >= FEWEST_POSITIVE_DIGITS and candidate >= TIMES_BEYOND * max(largest, 1.0)


def _numbers(texts: Sequence[str]) -> list[float]:
    numbers = []
    for text in texts:
        try:
            numbers.append(float(text))
        except ValueError:
            continue
    return numbers
