"""Trying something on a copy of a model, to see what its outputs depend on.

Each function runs modules only, in evaluation mode, on a deep copy, and leaves every random stream as it was. Inputs
are the floating-point tensors of a batch; what can't be tried is returned as `Absent` with the reason.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.interventions import BatchMixing, EvaluateTwice, ZeroedInputs

Outputs = Callable[[nn.Module, Tensor], Tensor]
"""Runs a module on a batch of inputs and gives its outputs, one row an example."""

ROUNDING = 1e-4
"""Relative to the outputs' spread. Single precision rounds at 6e-8; sums over some thousand terms in another order
reach 1e-6, and a row that depends on another moves by a sizeable part of the spread."""


@contextmanager
def _untouched_randomness() -> Iterator[None]:
    python, numpy = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng(devices=range(torch.cuda.device_count())), torch.no_grad():
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def _copied(module: nn.Module) -> nn.Module:
    return copy.deepcopy(module).eval()


def evaluate_twice(module: nn.Module, inputs: Tensor, outputs: Outputs) -> EvaluateTwice:
    """Run the same inputs twice and compare the outputs."""
    with _untouched_randomness():
        judged = _copied(module)
        first = outputs(judged, inputs).float()
        second = outputs(judged, inputs).float()
    return EvaluateTwice(
        rows=len(inputs), largest_difference=float((first - second).abs().max()), spread=_spread(first),
    )


def mix_batch(module: nn.Module, inputs: Tensor, outputs: Outputs) -> BatchMixing | Absent:
    """Change the first example and see which other rows of the output move."""
    if len(inputs) < 2 or not inputs.is_floating_point():
        return Absent("the batch holds fewer than two examples of floating-point inputs to change")
    with _untouched_randomness():
        judged = _copied(module)
        before = outputs(judged, inputs).float()
        again = outputs(judged, inputs).float()
        changed = inputs.clone()
        changed[0] = inputs[0].roll(1) + inputs.std() + 1
        after = outputs(judged, changed).float()
    if len(before) != len(inputs):
        return Absent(f"the output has {len(before)} rows for {len(inputs)} examples, so rows can't be told apart")
    spread = _spread(before)
    if not torch.equal(before, again):
        return Absent("the outputs differ between two equal calls, so nothing can be said about their dependence")
    movement = (after - before).abs().flatten(1).amax(1)
    movement[0] = 0
    moved = torch.nonzero(movement > ROUNDING * max(spread, 1e-12)).flatten().tolist()
    return BatchMixing(
        rows=len(inputs), changed=0, moved=tuple(moved), largest=float(movement.max()), spread=spread,
    )


def zero_inputs(
    module: nn.Module, inputs: Tensor, losses: Outputs, *, initial_loss: float, steps: int,
) -> ZeroedInputs:
    """Compare the loss of each example (`losses` gives shape [n]) on its inputs and on zeros.

    The module has been fitted to these examples for `steps` steps, from a mean loss of `initial_loss`.
    """
    with _untouched_randomness():
        judged = _copied(module)
        real = losses(judged, inputs).double()
        zeroed = losses(judged, torch.zeros_like(inputs)).double()
    difference = zeroed - real
    error = float(difference.std()) / len(difference) ** 0.5 if len(difference) > 1 else float("inf")
    return ZeroedInputs(
        rows=len(inputs), initial_loss=initial_loss, loss=float(real.mean()), zeroed_loss=float(zeroed.mean()),
        standard_error=error, largest_difference=float(difference.abs().max()), steps=steps,
    )


def _spread(values: Tensor) -> float:
    return float(values.std()) if values.numel() > 1 else float(values.abs().max())
