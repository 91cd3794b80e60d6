"""Training examples in a seeded order: the permutation of an epoch is a function of (seed, epoch) alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from assay.dataset import Examples

_EVALUATED_AT_ONCE = 1024
"""Rows of one validation batch: no gradient is kept, so it may be larger than a training batch."""


def epoch_order(rows: int, *, seed: int, epoch: int) -> Tensor:
    """The order of `rows` examples in this epoch, int64 [rows]; a stream of its own, that nothing else draws from."""
    entropy = np.random.SeedSequence((seed, epoch)).generate_state(1, np.uint64)[0]
    generator = torch.Generator().manual_seed(int(entropy))
    return torch.randperm(rows, generator=generator)


def batch_sizes(rows: int, *, batch_size: int, lone_row: bool = True) -> list[int]:
    """The sizes of an epoch's batches. Without `lone_row` a last batch of one example joins the one before it.

    Batch norm can't normalise one example.
    """
    sizes = [batch_size] * (rows // batch_size) + ([rows % batch_size] if rows % batch_size else [])
    if not lone_row and len(sizes) > 1 and sizes[-1] == 1 < batch_size:
        sizes[-2:] = [sizes[-2] + 1]
    return sizes


def rounds(sizes: Sequence[int], *, steps: int) -> list[int]:
    """The rows of each round of `steps` batches (the last may hold fewer)."""
    return [sum(sizes[start : start + steps]) for start in range(0, len(sizes), steps)]


class EpochOrder:
    """The positions of an epoch's rounds: one or more batches that are fetched at once.

    sizes           rows of each round, `rows` in all
    first_epoch     the epoch that training starts from; Lightning counts from 0 after it was resumed too
    """

    def __init__(self, rows: int, sizes: Sequence[int], *, seed: int, first_epoch: int = 0) -> None:
        self.rows, self.sizes, self.seed, self.first_epoch = rows, sizes, seed, first_epoch
        self.epoch = first_epoch

    def set_epoch(self, epoch: int) -> None:
        """Lightning tells the epoch that is iterated next."""
        self.epoch = self.first_epoch + epoch

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[Tensor]:
        yield from epoch_order(self.rows, seed=self.seed, epoch=self.epoch).split(list(self.sizes))


@dataclass(frozen=True)
class _Rows(Dataset[tuple[Tensor, Tensor]]):
    """Fetches many positions by one index operation, in a loader's worker."""

    x: Tensor
    y: Tensor

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        return self.x[positions], self.y[positions]


@dataclass
class InMemoryBatches:
    """The examples of each of the sampler's rounds, (x [n, columns], y [n]), gathered in this process.

    The samplers have the names by which Lightning looks for them in a DataLoader.
    """

    x: Tensor
    y: Tensor
    sampler: EpochOrder = field(kw_only=True)
    batch_sampler: None = None

    def __len__(self) -> int:
        return len(self.sampler)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        for positions in self.sampler:
            yield self.x[positions], self.y[positions]


Batches = InMemoryBatches | DataLoader[tuple[Tensor, Tensor]]


def tensors(examples: Examples, *, rows: int | None = None) -> tuple[Tensor, Tensor]:
    """The first `rows` examples (all if None) as x float32 [n, columns], y [n]; they share the arrays' memory."""
    return torch.from_numpy(examples.x)[:rows], torch.from_numpy(examples.y)[:rows]


def training_batches(x: Tensor, y: Tensor, *, order: EpochOrder, num_workers: int = 0) -> Batches:
    """The batches of `order`, gathered in this process or by worker processes: the same bits either way."""
    if num_workers == 0:
        return InMemoryBatches(x, y, sampler=order)
    # a generator of its own: else each epoch would draw the workers' seeds from the stream that dropout draws from
    return DataLoader(
        _Rows(x, y), sampler=order, batch_size=None, num_workers=num_workers, generator=torch.Generator(),
    )


def validation_batches(x: Tensor, y: Tensor) -> InMemoryBatches:
    """All examples in their own order."""
    return InMemoryBatches(x, y, sampler=_AsTheyAre(len(x), batch_sizes(len(x), batch_size=_EVALUATED_AT_ONCE), seed=0))


class _AsTheyAre(EpochOrder):
    def __iter__(self) -> Iterator[Tensor]:
        yield from torch.arange(self.rows).split(list(self.sizes))
