"""Whether the rows of a model's inputs are examples: rows that come in other company each time are.

The words of a sentence, the points of a cloud and the steps of a series always come together; examples are shuffled.
"""

from __future__ import annotations

from torch import Tensor

from assay.tensors import Fingerprints

ROWS = 4096
"""Rows that are remembered, the first that came."""

WIDTH = 512
"""Entries of a row that are compared, spread evenly over it."""

MET = 4
"""Rows of one pass that must have been met before, and the fewest rows of a pass that is looked at."""

EVERY = 4
"""Once enough rows are remembered, every fourth pass is looked at."""

LARGEST = 1 << 16
"""Rows of a pass that is looked at."""

LOOKED_AT = 1 << 17
"""Rows that are looked at in all; by then examples that are shuffled have met again."""


class Regrouping:
    """The rows that one model was given, by their fingerprints."""

    def __init__(self) -> None:
        self._fingerprints = Fingerprints()
        self._known: dict[int, tuple[int, int]] = {}
        self._passes = 0
        self._room = LOOKED_AT

    @property
    def spent(self) -> bool:
        """Whether it looks no more."""
        return self._room <= 0

    def shows(self, rows: Tensor) -> bool:
        """Whether these rows were met before, in passes of other rows, and in another order."""
        self._passes += 1
        if rows.dim() < 2 or not MET <= len(rows) <= LARGEST or not rows[0].numel():
            return False
        if len(self._known) >= ROWS and self._passes % EVERY:
            return False
        self._room -= len(rows)
        flat = rows.detach().reshape(len(rows), -1)
        found = self._fingerprints.of(flat[:, :: -(-flat.shape[1] // WIDTH)]).tolist()
        if len(set(found)) < len(found):
            return False  # what recurs within a pass, as words and marks do, isn't an example's own
        met = [(self._known[each], place) for place, each in enumerate(found) if each in self._known]
        if len(self._known) < ROWS:
            for place, each in enumerate(found):
                self._known.setdefault(each, (self._passes, place))
        companies = {number for (number, _), _ in met}
        shifts = {(number, place - before) for (number, before), place in met}
        return len(met) >= MET and len(companies) > 1 and 2 * len(shifts) > len(met)
