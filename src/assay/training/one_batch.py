"""Fitting a single batch over and over: the smallest training there is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from assay.training.assembly import Assembly, Batch


def fit_one_batch(
    assembly: Assembly, module: Any, optimizer: Any, batch: Batch, *, steps: int, enough: float = -math.inf,
) -> Iterator[float]:
    """The loss before each of at most `steps` optimizer steps, and after the last.

    Ends early once the loss is at most `enough`, or no longer finite. The module is trained in place.
    """
    for step in range(steps + 1):
        loss = assembly.loss(module, batch)
        value = float(loss.detach())
        yield value
        if value <= enough or not math.isfinite(value) or step == steps:
            return
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
