"""How many threads a training may use: a small step is faster on one, and its bits don't hang on a machine's cores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from assay.recipe.schema import Recipe
from assay.training.assembly import Assembly

SMALL_STEP = 1e8
"""Floating-point operations. One core takes some milliseconds for them; split over two threads, the kernels of such a
step (tens of microseconds each) cost more to hand out than they save, and far more on a machine that is busy."""
SMALL_MODEL = 1_000_000
"""Parameters. Not every kernel's operations are counted (recurrent ones aren't), so a large model is never small."""


def threads_for(recipe: Recipe, assembly: Assembly) -> int:
    """The number that the recipe states; for `auto` one where a training step is small, else torch's own number."""
    if recipe.training.threads != "auto":
        return recipe.training.threads
    return 1 if _is_small(assembly, recipe.seeds[0]) else torch.get_num_threads()


@contextmanager
def limited_to(threads: int) -> Iterator[None]:
    """Let torch use this many threads within the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _is_small(assembly: Assembly, seed: int) -> bool:
    module = assembly.module(seed)
    if sum(parameter.numel() for parameter in module.parameters()) > SMALL_MODEL:
        return False
    batch = next(iter(assembly.training_batches(seed)), None)
    return batch is not None and 3 * _forward_operations(assembly, module, batch) < SMALL_STEP


def _forward_operations(assembly: Assembly, module: Any, batch: Any) -> int:
    """Of one batch's loss; the backward pass takes twice as many (Kaplan et al. 2020, section 2.1)."""
    with FlopCounterMode(display=False) as counter, torch.no_grad(), torch.random.fork_rng(devices=[]):
        assembly.loss(module, batch)
    return int(counter.get_total_flops())
