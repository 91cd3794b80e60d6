"""Does one step work as meant?

## Question
Before anything is trained for long: is the output of the right shape, are labels whole numbers in range, is the first
loss what an uninformed prediction gives, does every parameter get a gradient and move, does no example see another,
do the inputs matter, do two calls in evaluation mode agree, is decay kept off norms and biases?

## What is done
A few steps of the experiment's own training loop under the probes that `assay watch` uses. Then, on copies of a fresh
model and one training batch: the same inputs twice, one example changed, and, after the model has been fitted to the
batch, all inputs zeroed.

## Passes when
No rule finds an error.

## References
Karpathy, A Recipe for Training Neural Networks (2019): verify loss at init, input-independent baseline, dependencies.
"""

from __future__ import annotations

import shutil
from typing import Any

import torch
from torch import Tensor

from assay.errors import UserCodeError
from assay.facts.fact import Absent, Fact, Unknown
from assay.facts.fact_set import FactSet, join
from assay.facts.interventions import BatchMixing, EvaluateTwice, OutputShape, ZeroedInputs
from assay.facts.loss import LossFacts
from assay.facts.model import ModelFacts
from assay.facts.optimizer import OptimizerFacts
from assay.facts.splits import LabelFacts
from assay.facts.task import TaskFacts
from assay.stage import Ground, Measured, Progress, stage
from assay.training.assembly import Assembly
from assay.training.loop import train
from assay.training.one_batch import fit_one_batch
from assay.training.trained_run import Limits
from assay.watching.interventions import evaluate_twice, mix_batch, zero_inputs
from assay.watching.session import recording

STEPS = 10
"""Steps of the real loop: enough to see whether gradients are cleared between them, and who never gets one."""
FITTED_STEPS = 200
FITTED_SHARE = 0.5
"""The batch counts as fitted once its loss is half of the first: then the inputs must matter."""
BATCH_ROWS = 64

INTERVENTIONS = (OutputShape, EvaluateTwice, BatchMixing, ZeroedInputs)


@stage("Does one step work as meant?")
def smoke(ground: Ground) -> Measured:
    """Take a few real steps under probes, then try things on copies."""
    ground.report(Progress(done=0, total=2, doing="trying the model on changed inputs"))
    tried = _interventions(ground)
    ground.report(Progress(done=1, total=2, doing=f"{STEPS} steps under probes"))
    facts = join([_task(ground.assembly), _recorded_steps(ground, tried), tried])
    return Measured(facts=facts, evidence=_evidence(facts), result=_result(facts))


def _recorded_steps(ground: Ground, tried: FactSet) -> FactSet:
    """What the probes saw, or why there was nothing to see.

    A step that fails for a reason that `tried` shows (too few outputs, labels out of range) is left to its rule.
    """
    seed = ground.recipe.seeds[0]
    folder = ground.folder / "smoke" / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    with recording() as seen:
        try:
            train(ground.assembly, recipe=ground.recipe, seed=seed, folder=folder, limits=Limits(max_steps=STEPS))
        except UserCodeError as fault:
            if not _has_cause(tried):
                raise
            return FactSet(absent=dict.fromkeys((LossFacts, ModelFacts, OptimizerFacts), Absent(str(fault))))
    return seen.facts()


def _has_cause(tried: FactSet) -> bool:
    shape, labels = tried.find(OutputShape), tried.find(LabelFacts)
    misfit = isinstance(shape, OutputShape) and shape.output != shape.needed
    return misfit or (isinstance(labels, LabelFacts) and bool(labels.outside))


def _task(assembly: Assembly) -> FactSet:
    if assembly.task is not None:
        return FactSet.of(assembly.task)
    return FactSet(absent={TaskFacts: Absent("people's own classes don't state their task")})


def _interventions(ground: Ground) -> FactSet:
    assembly, seed = ground.assembly, ground.recipe.seeds[0]
    batch = next(iter(assembly.training_batches(seed)), None)
    if not isinstance(batch, list | tuple) or len(batch) != 2 or not all(isinstance(p, Tensor) for p in batch):
        return _nothing_tried("the training batches aren't pairs of tensors")
    inputs, targets = batch[0][:BATCH_ROWS], batch[1][:BATCH_ROWS]
    if assembly.scorer is not None:
        counted = assembly.scorer.counted(targets)
        inputs, targets = inputs[counted], targets[counted]
    module = assembly.module(seed)
    try:
        with torch.no_grad():
            first = assembly.outputs(module.eval(), (inputs, targets))
    except UserCodeError as fault:
        return _nothing_tried(f"the module can't be called on a batch's inputs alone: {fault}")

    def outputs(judged: Any, changed: Tensor) -> Tensor:
        return assembly.outputs(judged, (changed, targets[: len(changed)]))

    shape = _output_shape(assembly.task, first, len(inputs))
    labels = _labels(assembly.task, targets, first.shape[-1] if first.ndim > 1 else 1)
    tried = [
        shape, evaluate_twice(module, inputs, outputs), mix_batch(module, inputs, outputs),
        _zeroed(assembly, seed, (inputs, targets)), labels,
    ]
    kinds = (*INTERVENTIONS, LabelFacts)
    absent = {kind: fact for kind, fact in zip(kinds, tried, strict=True) if isinstance(fact, Absent)}
    return FactSet.of(*(fact for fact in tried if isinstance(fact, Fact)), absent=absent)


def _nothing_tried(why: str) -> FactSet:
    return FactSet(absent=dict.fromkeys(INTERVENTIONS, Absent(why)))


def _output_shape(task: TaskFacts | None, outputs: Tensor, inputs: int) -> OutputShape | Absent:
    if task is None:
        return Absent("people's own classes don't state how many outputs they need")
    one_value = task.kind in ("binary", "regression")
    needed = (inputs,) if one_value else (inputs, task.outputs)
    shape = tuple(outputs.shape)
    squeezed = shape[:-1] if one_value and shape[-1:] == (1,) and len(shape) > 1 else shape
    return OutputShape(output=squeezed, needed=needed, varies=bool((outputs != outputs[:1]).any()))


def _labels(task: TaskFacts | None, targets: Tensor, width: int) -> LabelFacts | Absent:
    """Labels as they reach the loss; regression and people's own float targets have none."""
    is_label = not targets.is_floating_point() or (task is not None and task.kind == "binary")
    if not is_label or targets.ndim != 1 or not len(targets):
        return Absent("the targets are no class ids", applicable=False)
    classes = 2 if width == 1 else width
    values = targets.double()
    outside = (values < 0) | (values >= classes) | (values != values.round())
    rows = torch.nonzero(outside).flatten()[:5].tolist()
    return LabelFacts(
        classes=classes if width else Unknown("the output has no class axis"), smallest=float(values.min()),
        largest=float(values.max()), outside=tuple((row, float(values[row])) for row in rows),
    )


def _zeroed(assembly: Assembly, seed: int, batch: tuple[Tensor, Tensor]) -> ZeroedInputs | Absent:
    inputs, targets = batch
    if not inputs.is_floating_point():
        return Absent("the inputs are ids, which zeroing would only turn into other ids")
    module = assembly.module(seed).train()
    assembly.without_regularisation(module)
    optimizer = assembly.optimizer(module, weight_decay=0.0)
    try:
        first = float(assembly.loss(module, batch).detach())
    except UserCodeError as fault:
        return Absent(str(fault))
    enough = FITTED_SHARE * first
    losses = list(fit_one_batch(assembly, module, optimizer, batch, steps=FITTED_STEPS, enough=enough))

    def each(judged: Any, changed: Tensor) -> Tensor:
        rows = range(len(changed))
        return torch.stack([assembly.loss(judged, (changed[i : i + 1], targets[i : i + 1])) for i in rows])

    return zero_inputs(module, inputs, each, initial_loss=losses[0], steps=len(losses) - 1)


def _evidence(facts: FactSet) -> str:
    parts = []
    losses, model = facts.records.get(LossFacts), facts.records.get(ModelFacts)
    if isinstance(losses, LossFacts) and losses.calls:
        parts.append(f"first loss {losses.calls[0].value:.3f}{_expected(facts)}")
    if isinstance(model, ModelFacts):
        trained = [p for record in model.models for p in record.parameters if p.trainable]
        moved = sum(parameter.moved is True for parameter in trained)
        parts.append(f"{moved} of {len(trained)} parameters move")
    twice = facts.records.get(EvaluateTwice)
    if isinstance(twice, EvaluateTwice):
        parts.append("two evaluations agree" if twice.largest_difference == 0 else "two evaluations differ")
    return ", ".join(parts) or "nothing could be observed"


def _expected(facts: FactSet) -> str:
    task = facts.records.get(TaskFacts)
    expected = task.expected_first_loss if isinstance(task, TaskFacts) else None
    return "" if expected is None else f" ({expected[1]} = {expected[0]:.3f})"


def _result(facts: FactSet) -> dict[str, Any]:
    losses, task = facts.records.get(LossFacts), facts.records.get(TaskFacts)
    first = losses.calls[0].value if isinstance(losses, LossFacts) and losses.calls else None
    expected = task.expected_first_loss if isinstance(task, TaskFacts) else None
    return {"first_loss": first, "expected_first_loss": expected[0] if expected else None}
