"""Memorising a few examples of a preflight's batch, on copies, and what the model makes of inputs that are all zero."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Schedule
from assay.facts.interventions import ZeroedInputs
from assay.facts.overfit import Attempt, OverfitFacts
from assay.probe import Clock, Faults
from assay.probes.loss_functions import LossFunctions
from assay.tensors import first_tensor
from assay.traffic import Scored, Traffic
from assay.watching.capacity import too_small
from assay.watching.interventions import zero_inputs
from assay.watching.memorising import conflicts, thinned, unsure_of
from assay.watching.one_task import Task, trainable
from assay.watching.reachable import Reachable, reachable

ROWS = 32
"""Examples that are memorised, as in the ladder's overfit stage."""

STEPS = 400
RATES = (1e-3, 1e-2, 1e-4)
"""Adam's default rate, then ten times more and ten times less."""

FITTED_STEPS = 200
FITTED_SHARE = 0.5
"""The batch counts as fitted once its loss is half of the first: then the inputs must matter."""

NUMBERS = 20_000_000
"""Numbers of the largest model that is fitted in passing."""


@dataclass(frozen=True)
class _Course:
    """A copy that was fitted, and its losses on the way."""

    model: nn.Module
    losses: list[float]


def memorised(task: Task) -> OverfitFacts | Absent:
    """Try a few rates until one memorises the batch; Absent where a failure would say nothing."""
    parameters = trainable(task.model)
    if sum(each.numel() for each in parameters) > NUMBERS:
        return Absent(f"the model holds more than {NUMBERS:,} numbers, too many to fit in passing")
    tiny = task.first(ROWS)
    limit = _limit(tiny)
    if isinstance(limit, Absent):
        return limit
    enough = limit.target + limit.tolerance
    courses = []
    for rate in RATES:
        courses.append((rate, _fitted(tiny, steps=STEPS, rate=rate, enough=enough).losses))
        if courses[-1][1][-1] <= enough:
            break
    best = min((losses for _, losses in courses), key=lambda losses: (math.isnan(losses[-1]), losses[-1]))
    why = None if best[-1] <= enough else _unsure(task, tiny, best, limit)
    if why is not None:
        return Absent(why)
    attempts = tuple(
        Attempt(learning_rate=rate, steps=len(losses) - 1, losses=thinned(losses), accuracy=None)
        for rate, losses in courses
    )
    return OverfitFacts(
        rows=tiny.arguments.rows, attempts=attempts, target=limit.target, tolerance=limit.tolerance,
        floors=limit.floors, conflicting=0,
    )


def zeroed(task: Task) -> ZeroedInputs | Absent:
    """Fit the batch, then compare each example's loss on its inputs and on zeros."""
    given, loss_of = task.arguments, task.loss_of
    plain = len(given.positional) == 1 and not given.named and isinstance(given.positional[0], Tensor)
    if loss_of is None or not plain or not task.rows_are_examples:
        return Absent("the batch is no pair of tensors, so that losses of single examples aren't known")
    tiny = task.first(ROWS)
    inputs, known = tiny.arguments.positional[0], tiny.targets
    if not inputs.is_floating_point():
        return Absent("the inputs are ids, for which zero is one of them")
    course = _fitted(tiny, steps=FITTED_STEPS, rate=RATES[1], enough=-math.inf)
    if not course.losses[-1] <= FITTED_SHARE * course.losses[0]:
        return Absent("the batch could not be fitted, so that nothing can be said of its inputs")

    def each(model: nn.Module, rows: Tensor) -> Tensor:
        outputs = model(rows)
        return torch.stack([loss_of(outputs[i: i + 1], known[i: i + 1]) for i in range(len(rows))])

    return zero_inputs(
        course.model, inputs, each, initial_loss=course.losses[0], steps=len(course.losses) - 1,
    )


def _limit(task: Task) -> Reachable | Absent:
    """What the loss could come to, read off the one call of a loss of PyTorch's that it makes."""
    calls: list[Reachable | Absent] = []
    values: list[float] = []

    def look(scored: Scored) -> None:
        if isinstance(scored.value, Tensor) and scored.value.numel() == 1:
            calls.append(reachable(scored))
            values.append(float(scored.value.detach()))

    traffic, faults = Traffic(), Faults()
    traffic.scored.append(faults.contained("losses", look))
    losses = LossFunctions(Clock(Schedule(dense=1)), faults, traffic)
    losses.attach()
    try:
        value = float(task.loss(task.copy()).detach())
    finally:
        losses.detach()
    if len(calls) != 1 or not math.isclose(values[0], value, rel_tol=1e-6):
        return Absent("the loss is written by hand, or several are summed, so that its lowest value isn't known")
    return calls[0]


def _fitted(task: Task, *, steps: int, rate: float, enough: float) -> _Course:
    """Adam on a copy without dropout; it ends early once the loss is as low as `enough`, or no longer finite."""
    model = task.copy()
    for part in model.modules():
        if isinstance(part, nn.modules.dropout._DropoutNd):  # noqa: SLF001  # the base of all dropout layers
            part.p = 0.0
    optimizer = torch.optim.Adam(trainable(model), lr=rate)
    losses: list[float] = []
    for step in range(steps + 1):
        loss = task.loss(model)
        losses.append(float(loss.detach()))
        if losses[-1] <= enough or not math.isfinite(losses[-1]) or step == steps:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return _Course(model, losses)


def _unsure(task: Task, tiny: Task, losses: list[float], limit: Reachable) -> str | None:
    """Why a batch that wasn't memorised says nothing of this model."""
    parameters = list(task.model.parameters())
    if any(not each.requires_grad for each in parameters):
        return "a part of the model is frozen, which may not tell the examples apart"
    inputs = first_tensor((tiny.arguments.positional, tiny.arguments.named))
    if inputs is None or not tiny.rows_are_examples:
        return "the targets aren't one an example, so that the lowest loss isn't known"
    small = too_small(parameters, rows=len(inputs), width=inputs[0].numel())
    return small or unsure_of(losses, limit, conflicts([inputs], tiny.targets))
