"""Reading batches of sequences: targets beside the inputs they belong to, padding at the ends, what hangs on what.

All are tensors of shape [n, t]: n sequences of t positions. Where a program lays time first, both are turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from torch import Tensor

SHORTEST = 3
"""Positions that make a sequence; two columns are two columns."""

PADDED_ROWS, PADDED_POSITIONS = 3, 8
"""Fewer may end alike by chance."""


@dataclass(frozen=True)
class Ends:
    """The positions at the ends of sequences that one value fills, which stands nowhere else.

    filled      [n, t], where they are
    value       what fills them
    """

    filled: Tensor
    value: float

    @property
    def counts(self) -> Tensor:
        """How many each sequence has, [n]."""
        return self.filled.sum(1)


def ends(rows: Tensor) -> Ends | None:
    """The filled ends of the sequences in [n, t], or None where there are none or where they may be values.

    A value that also stands between others is one of the sequences' own; so is one that fills equally many positions
    of all, and one that fills a sequence whole says nothing on where it ends.
    """
    if rows.dim() != 2 or rows.shape[0] < 2 or rows.shape[1] < SHORTEST:
        return None
    value = rows[:, -1].mode().values
    filled = (rows == value).flip(1).cummin(1).values.flip(1)
    found = Ends(filled, float(value))
    counts = found.counts
    if int((rows == value).sum()) != int(counts.sum()) or int(counts.max()) == rows.shape[1]:
        return None
    if int((counts > 0).sum()) < PADDED_ROWS or int(counts.sum()) < PADDED_POSITIONS or len(counts.unique()) < 2:
        return None
    return found


def coded(inputs: Tensor) -> Tensor | None:
    """Inputs as [n, t] numbers: ids as they are, vectors [n, t, f] as 0 where they are zero and 1 elsewhere."""
    if inputs.dim() == 2 and not inputs.is_floating_point() and not inputs.is_complex():
        return inputs.detach().long().clone()
    if inputs.dim() == 3:
        return (inputs.detach() != 0).any(2).long()
    return None


@dataclass(frozen=True)
class Given:
    """What a model was given, [n, t], and the number that its embedding's graph node bears, if it was embedded."""

    codes: Tensor
    number: int | None = None


@dataclass(frozen=True)
class Pair:
    """Targets [n, t] or [n, t, f] beside inputs [n, t] or [n, t + 1]: a language model's text has one more.

    number      of the embedding, as in Given
    turned      the program lays time first
    """

    targets: Tensor
    inputs: Tensor
    number: int | None = None
    turned: bool = False

    @property
    def beside(self) -> Iterator[Tensor]:
        """The inputs that may stand beside the targets, [n, t]."""
        width = self.targets.shape[1]
        for start in range(self.inputs.shape[1] - width + 1):
            yield self.inputs[:, start : start + width]


def pairs(targets: Tensor, given: Given) -> Iterator[Pair]:
    """The ways in which targets, flattened or not, may belong to inputs [n, t], whose time may also come first."""
    inputs, number = given.codes, given.number
    shape = tuple(targets.shape)
    if min(inputs.shape) < 2:
        return
    n, t = inputs.shape
    for width in (t, t - 1):
        if shape[:2] == (n, width) or shape == (n * width,):
            yield Pair(targets.reshape(n, width, *shape[2:]), inputs, number)
    for width in (n, n - 1):
        if shape[:2] == (width, t) or shape == (width * t,):
            yield Pair(targets.reshape(width, t, *shape[2:]).transpose(0, 1), inputs.T, number, turned=True)


def constant_at(targets: Tensor, filled: Tensor) -> float | None:
    """The one value that targets have at all filled positions, None where they have several."""
    values = targets[filled].flatten()
    first = values[0]
    return float(first) if bool((values == first).all()) else None


def equal_ahead(pair: Pair, valid: Tensor, ahead: int) -> float:
    """The share of valid targets [n, t] that equal the input `ahead` positions later."""
    length = min(pair.targets.shape[1], pair.inputs.shape[1] - ahead)
    counted = valid[:, :length]
    if length < 1 or not bool(counted.any()):
        return 0.0
    same = pair.targets[:, :length] == pair.inputs[:, ahead : ahead + length]
    return float(same[counted].double().mean())
