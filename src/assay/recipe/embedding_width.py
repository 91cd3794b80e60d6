"""How wide an embedding of categories is."""

from __future__ import annotations

import math

WIDEST = 600


def embedding_width(categories: int) -> int:
    """Numbers that stand for one of this many categories: 1.6 · n^0.56, 600 at most.

    Source: fastai, `emb_sz_rule`, found by comparing widths that worked on many tables.
    """
    return min(WIDEST, round(1.6 * math.pow(categories, 0.56)))
