"""Can it memorise a tiny batch?

## Question
A network with as many parameters as these can memorise 32 examples. If it can't, the loss, the targets or the
gradients are wrong, and no amount of data will help.

## What is done
32 training examples, without those that conflict (equal inputs, different labels); dropout and weight decay off, no
augmentation. The experiment's own optimizer and rate first, then ten times larger, ten times smaller and a hundred
times larger, 800 steps each, until the loss is within 0.05 of its lowest reachable value.

## Passes when
One attempt comes within 0.05 of that value (for regression: of 5 % of the targets' variance).

## What a failure usually means
The level at which it stalls names the cause: log(1 + (C - 1)/e) is softmax applied twice, the labels' entropy or the
targets' variance a prediction that is the same for every input.

## References
Karpathy, A Recipe for Training Neural Networks (2019): overfit one batch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from assay.errors import UserCodeError
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.floors import (
    binary_floors,
    class_floors,
    multilabel_floors,
    regression_floors,
    smoothed_floor,
)
from assay.facts.overfit import Attempt, Floor, OverfitFacts
from assay.facts.task import TaskFacts
from assay.stage import Ground, Measured, Progress, stage
from assay.training.assembly import Assembly
from assay.training.one_batch import fit_one_batch

ROWS = 32
STEPS = 800
RATES = (1.0, 10.0, 0.1, 100.0)
TOLERANCE = 0.05
MEMORISED = 0.0005
"""A loss this close to its lowest value prints as 0.000: nothing is left to learn."""


@dataclass(frozen=True)
class _Limit:
    """What the loss could come to on this batch, and where it is known to stall."""

    target: float
    tolerance: float
    floors: tuple[Floor, ...]


@stage("Can it memorise a tiny batch?")
def overfit(ground: Ground) -> Measured:
    """Try the experiment's rate, then others, until one attempt memorises the batch."""
    seed = ground.recipe.seeds[0]
    batch, conflicting = _tiny_batch(ground.assembly, seed)
    if batch is None:
        why = "the training batches aren't pairs of tensors, so no tiny batch could be taken from them"
        return Measured(facts=FactSet(absent={OverfitFacts: Absent(why)}), evidence=why)
    limit = _limit(ground, seed, batch)
    attempts: list[Attempt] = []
    for number, factor in enumerate(RATES):
        rate = ground.assembly.learning_rate * factor
        ground.report(Progress(done=number, total=len(RATES), doing=f"rate {rate:.2g}"))
        attempts.append(_attempt(ground.assembly, seed, batch, rate, limit))
        if attempts[-1].final <= limit.target + limit.tolerance:
            break
    facts = OverfitFacts(
        rows=len(batch[1]), attempts=tuple(attempts), target=limit.target, tolerance=limit.tolerance,
        floors=limit.floors, conflicting=conflicting,
    )
    return Measured(facts=FactSet.of(facts), evidence=_evidence(facts), result=_result(facts))


def _tiny_batch(assembly: Assembly, seed: int) -> tuple[tuple[Tensor, Tensor] | None, int]:
    """Up to 32 examples in which equal inputs carry equal labels, and how many were left out."""
    inputs, targets = list[Tensor](), list[Tensor]()
    for batch in assembly.training_batches(seed):
        if not isinstance(batch, list | tuple) or len(batch) != 2 or not all(isinstance(p, Tensor) for p in batch):
            return None, 0
        inputs.append(batch[0])
        targets.append(batch[1])
        if sum(map(len, targets)) >= ROWS:
            break
    if not inputs:
        return None, 0
    given, known = torch.cat(inputs), torch.cat(targets)
    if assembly.scorer is not None:
        counted = assembly.scorer.counted(known)
        given, known = given[counted], known[counted]
    return _without_conflicts(given[:ROWS], known[:ROWS])


def _without_conflicts(inputs: Tensor, targets: Tensor) -> tuple[tuple[Tensor, Tensor], int]:
    rows, labels = inputs.flatten(1), targets.reshape(len(targets), -1)
    same = (rows[:, None] == rows[None]).all(2)
    differ = (labels[:, None] != labels[None]).any(2)
    sound = ~(same & differ).any(1)
    return (inputs[sound], targets[sound]), int((~sound).sum())


def _limit(ground: Ground, seed: int, batch: tuple[Tensor, Tensor]) -> _Limit:
    """The floors are those of the plain losses; weights, smoothing and other losses stall at levels of their own."""
    task, targets = ground.assembly.task, batch[1]
    if task is None:
        return _limit_of_unknown_task(ground.assembly, seed, batch)
    if task.kind == "regression":
        limit = _regression_limit(targets)
        return limit if ground.assembly.floors else replace(limit, floors=())
    if not ground.assembly.floors:
        answers = task.outputs if task.kind == "multiclass" else 2
        return _Limit(smoothed_floor(ground.recipe.objective.label_smoothing, answers), TOLERANCE, ())
    if task.kind == "multilabel":
        return _Limit(0.0, TOLERANCE, multilabel_floors(targets.long().tolist()))
    labels = [int(value) for value in targets.flatten()]
    if task.kind == "binary":
        return _Limit(0.0, TOLERANCE, binary_floors(labels))
    return _Limit(0.0, TOLERANCE, class_floors(labels, task.outputs))


def _limit_of_unknown_task(assembly: Assembly, seed: int, batch: tuple[Tensor, Tensor]) -> _Limit:
    """What people's own module predicts is read from its targets and outputs, as far as they tell."""
    inputs, targets = batch
    if targets.is_floating_point():
        return _regression_limit(targets)
    try:
        with torch.no_grad():
            width = assembly.outputs(assembly.module(seed).eval(), (inputs, targets)).shape[-1]
    except UserCodeError:
        return _Limit(0.0, TOLERANCE, ())
    return _Limit(0.0, TOLERANCE, class_floors(targets.flatten().tolist(), width) if targets.ndim == 1 else ())


def _regression_limit(targets: Tensor) -> _Limit:
    floors = regression_floors([float(value) for value in targets.flatten()])
    return _Limit(0.0, TOLERANCE * floors[0].value, floors)


def _attempt(
    assembly: Assembly, seed: int, batch: tuple[Tensor, Tensor], rate: float, limit: _Limit,
) -> Attempt:
    module = assembly.module(seed).train()
    assembly.without_regularisation(module)
    optimizer = assembly.optimizer(module, learning_rate=rate, weight_decay=0.0)
    enough = limit.target + MEMORISED
    losses = list(fit_one_batch(assembly, module, optimizer, batch, steps=STEPS, enough=enough))
    kept = sorted({round(i * (len(losses) - 1) / 49) for i in range(50)}) if len(losses) > 50 else range(len(losses))
    return Attempt(
        learning_rate=rate, steps=len(losses) - 1, losses=tuple(losses[i] for i in kept),
        accuracy=_accuracy(assembly, module, batch),
    )


def _accuracy(assembly: Assembly, module: Any, batch: tuple[Tensor, Tensor]) -> float | None:
    targets = batch[1]
    task: TaskFacts | None = assembly.task
    if targets.ndim != 1 or (targets.is_floating_point() and (task is None or task.kind != "binary")):
        return None
    try:
        with torch.no_grad():
            outputs = assembly.outputs(module.eval(), batch)
    except UserCodeError:
        return None
    predicted = (outputs.flatten() > 0) if outputs.numel() == len(targets) else outputs.argmax(-1)
    return float((predicted == targets).float().mean()) if predicted.shape == targets.shape else None


def _evidence(facts: OverfitFacts) -> str:
    best = facts.best
    accuracy = "" if best.accuracy is None else f", accuracy {best.accuracy:.2f}"
    tried = f"{best.steps} steps at rate {best.learning_rate:.2g}"
    return f"{facts.rows} examples: loss {best.final:.3f} after {tried}{accuracy}"


def _result(facts: OverfitFacts) -> dict[str, Any]:
    return {
        "rows": facts.rows, "loss": facts.best.final, "target": facts.target, "steps": facts.best.steps,
        "accuracy": facts.best.accuracy,
        "attempts": [{"learning_rate": a.learning_rate, "steps": a.steps, "loss": a.final} for a in facts.attempts],
    }
