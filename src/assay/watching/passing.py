"""Which examples pass through a LightningModule's training and validation steps, by hashes of their inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from torch import Tensor

from assay.probe import Patches

Digest = bytes


@dataclass
class Passed:
    """Digests of the examples, in the order in which they passed; a batch without tensors counts as unreadable."""

    training: list[Digest] = field(default_factory=list)
    validation: list[Digest] = field(default_factory=list)
    unreadable: int = 0


@contextmanager
def passing(module_class: type) -> Iterator[Passed]:
    """Note what passes through `training_step` and `validation_step` of this class within the block."""
    passed, patches = Passed(), Patches()

    def noting(kept: list[Digest]) -> Callable[[Any], Any]:
        def made(step: Any) -> Any:
            @wraps(step)
            def noted(module: Any, batch: Any, *rest: Any, **named: Any) -> Any:
                found = list(digests(batch))
                kept.extend(found)
                passed.unreadable += not found
                return step(module, batch, *rest, **named)

            return noted

        return made

    try:
        patches.replace(module_class, "training_step", noting(passed.training))
        patches.replace(module_class, "validation_step", noting(passed.validation))
        yield passed
    finally:
        patches.restore()


def digests(batch: Any) -> Iterator[Digest]:
    """One digest an example, from the first tensor of a batch that has rows; nothing where there is none."""
    tensor = next((part for part in _tensors(batch) if part.ndim), None)
    if tensor is None:
        return
    for row in tensor.detach().cpu().contiguous():
        yield hashlib.blake2b(row.numpy().tobytes(), digest_size=16).digest()


def _tensors(batch: Any) -> Iterator[Tensor]:
    if isinstance(batch, Tensor):
        yield batch
    elif isinstance(batch, dict):
        for value in batch.values():
            yield from _tensors(value)
    elif isinstance(batch, Iterable) and not isinstance(batch, str | bytes):
        for value in batch:
            yield from _tensors(value)
