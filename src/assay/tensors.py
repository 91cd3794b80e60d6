"""What may be read of a program's living tensors, and how examples are told apart without keeping them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

WEIGHTS_SEED = 0x5EED
"""Of the generator, our own, whose numbers weigh an example's entries into its fingerprint."""


def readable(value: Tensor) -> bool:
    """Whether its numbers may be looked at: not while it is traced, transformed, captured or only a shape."""
    return not (
        value.is_meta
        or torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
        or torch._C._functorch.is_functorch_wrapped_tensor(value)  # noqa: SLF001
        or (value.is_cuda and torch.cuda.is_current_stream_capturing())
    )


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors of a batch, in order: of lists, tuples, dictionaries (so of Hugging Face's outputs too)."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tensors_in(part)


def first_tensor(values: Iterable[Any]) -> Tensor | None:
    """The first tensor of at least one dimension among these."""
    return next((tensor for value in values for tensor in tensors_in(value) if tensor.dim()), None)


class Fingerprints:
    """Tells examples apart: one whole number a row, equal for equal rows, and hardly ever for others.

    A row's entries, as doubles, are weighed bit by bit with fixed random weights and summed modulo 2 to the 64th, so
    that the sum doesn't depend on its order: equal rows agree in batches of any size. Rows of integers and of floats
    that hold the same values agree too. The weights come from a generator of our own.
    """

    def __init__(self) -> None:
        self._weights: dict[int, Tensor] = {}

    def of(self, rows: Tensor) -> Tensor:
        """One int64 a row, shape [n], from rows of any shape [n, ...], on the rows' own device."""
        flat = rows.detach().reshape(len(rows), -1).double() + 0.0  # which makes a negative zero a zero
        bits = flat.view(torch.int64)
        return ((bits ^ (bits >> 32)) * self._weighing(flat.shape[1]).to(flat.device)).sum(1)

    def _weighing(self, width: int) -> Tensor:
        if width not in self._weights:
            generator = torch.Generator().manual_seed(WEIGHTS_SEED)
            drawn = torch.randint(-(2**62), 2**62, (width,), generator=generator)
            self._weights[width] = 2 * drawn + 1
        return self._weights[width]
