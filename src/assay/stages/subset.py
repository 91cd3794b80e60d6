"""Does one epoch on a small subset work end to end, validation and resume included?

## Question
Will the long runs survive what happens to long runs, and is what they call validation really that?

## What is done
Two epochs on the first 512 training examples: once straight on, once saved after the first epoch, loaded by a new
module and gone on with. Weights, optimizer state and logged values are compared bit for bit. What passes through the
module's validation step is hashed and held against what passes through its training step, and against the test rows.

## Passes when
Both runs end with the same bits, and validation saw validation examples alone.

## What a failure usually means
State that isn't saved (a generator, a schedule, a counter in the module), or a validation loader made from the
training set.

## References
Resumed runs that differ are the oldest open wish of Lightning's users: pytorch-lightning issues 5325, 17543, 18098.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from assay.dataset import Split
from assay.errors import UserCodeError
from assay.facts.fact import Absent, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.monitor import MonitorFacts
from assay.facts.training import EvaluationFacts, ResumeFacts
from assay.preparation import prepare
from assay.recipe.schema import DataBlock
from assay.stage import Ground, Measured, Progress, stage
from assay.training.assembly import Assembly
from assay.training.batches import tensors, validation_batches
from assay.training.checkpoints import read_checkpoint
from assay.training.loop import train
from assay.training.trained_run import Limits, TrainedRun
from assay.training.user_assembly import UserAssembly
from assay.watching.passing import Digest, Passed, digests, passing

ROWS = 512
EPOCHS = 2
MOST_TEST_ROWS = 2000
"""Test rows whose hashes are taken: half of them among the validated ones is far beyond any chance."""


@stage("Does one epoch work end to end, validation and resume included?")
def subset(ground: Ground) -> Measured:
    """Train the subset twice, once with an interruption."""
    folder, seed = ground.folder / "subset", ground.recipe.seeds[0]
    shutil.rmtree(folder, ignore_errors=True)
    ground.report(Progress(done=0, total=3, doing="straight on"))
    with passing(type(ground.assembly.module(seed))) as passed:
        straight = _run(ground, folder / "straight", epochs=EPOCHS)
    ground.report(Progress(done=1, total=3, doing="saved after an epoch"))
    _run(ground, folder / "resumed", epochs=EPOCHS - 1)
    ground.report(Progress(done=2, total=3, doing="loaded and gone on with"))
    resumed = _run(ground, folder / "resumed", epochs=EPOCHS)
    facts = FactSet.of(_compared(straight, resumed), _selection(ground, passed))
    facts = facts.joined(_evaluation(ground.assembly, seed, passed))
    return Measured(facts=facts, evidence=_evidence(facts), result=_result(facts, straight))


def _run(ground: Ground, folder: Path, *, epochs: int) -> TrainedRun:
    return train(
        ground.assembly, recipe=ground.recipe, seed=ground.recipe.seeds[0], folder=folder,
        limits=Limits(max_epochs=epochs, rows=ROWS),
    )


def _compared(straight: TrainedRun, resumed: TrainedRun) -> ResumeFacts:
    """The last checkpoints' weights and optimizer state, and the epochs' logged values."""
    pairs = [*_logged(straight, resumed), *_saved(straight.checkpoints, resumed.checkpoints)]
    differing = tuple((name, gap) for name, gap in pairs if gap != 0)
    return ResumeFacts(compared=len(pairs), differing=differing, epochs=EPOCHS)


def _logged(straight: TrainedRun, resumed: TrainedRun) -> Iterator[tuple[str, float]]:
    yield "number of epochs", float(len(straight.history) - len(resumed.history))
    for first, second in zip(straight.history, resumed.history, strict=False):
        for name in sorted(first.keys() | second.keys()):
            yield f"epoch {first['epoch']:.0f}: {name}", _gap(first.get(name), second.get(name))


def _saved(straight: Mapping[str, Path], resumed: Mapping[str, Path]) -> Iterator[tuple[str, float]]:
    if "last" not in straight or "last" not in resumed:  # the recipe keeps no last checkpoint
        return
    first, second = read_checkpoint(straight["last"]), read_checkpoint(resumed["last"])
    for part in ("state_dict", *sorted(key for key in first if key.startswith(("optimizer", "schedule", "lr_sched")))):
        ours, theirs = dict(_leaves(first.get(part), part)), dict(_leaves(second.get(part), part))
        for name in sorted(ours.keys() | theirs.keys()):
            yield name, _gap(ours.get(name), theirs.get(name))


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}")
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{name}.{number}")
    else:
        yield name, value


def _gap(first: Any, second: Any) -> float:
    """0 where both are the same to the bit; else their largest difference, infinite where they can't be compared."""
    if isinstance(first, Tensor) and isinstance(second, Tensor) and first.shape == second.shape:
        if torch.equal(first.nan_to_num(), second.nan_to_num()):
            return 0.0
        return float((first.double() - second.double()).abs().max())
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    if numbers and (first == second or (first != first and second != second)):  # NaN equals NaN here
        return 0.0
    if numbers:
        return abs(float(first) - float(second))
    return 0.0 if type(first) is type(second) and not isinstance(first, Tensor) and first == second else float("inf")


def _evaluation(assembly: Assembly, seed: int, passed: Passed) -> FactSet:
    if passed.unreadable or not passed.validation:
        why = "the batches that pass through the steps hold no tensor with a row for each example"
        return FactSet(absent={EvaluationFacts: Absent(why)})
    training = [digest for batch in assembly.training_batches(seed) for digest in digests(batch)]
    known = {*training, *passed.training}
    once = passed.validation[: len(passed.validation) // EPOCHS]
    shared = sum(digest in known for digest in once)
    expected = None if assembly.prepared is None else len(assembly.prepared.validation)
    return FactSet.of(
        EvaluationFacts(
            examples=len(once), seen_in_training=max(0, shared - _natural(assembly, training, len(once))),
            expected=expected,
        ),
    )


def _natural(assembly: Assembly, training: list[Digest], validated: int) -> int:
    """How many validation examples have an equal among the training examples by the nature of the data.

    Where the split is known, those of the split itself, which the data stage has judged. Else as many as training
    examples have an equal among themselves, by their share.
    """
    if assembly.prepared is not None:
        known = set(training)
        own = [digest for batch in assembly.validation_batches() for digest in digests(batch)]
        return sum(digest in known for digest in own)
    repeated = sum(count for count in Counter(training).values() if count > 1)
    return round(validated * repeated / max(len(training), 1))


def _selection(ground: Ground, passed: Passed) -> MonitorFacts:
    """The test rows' hashes, against those that passed through validation; no score is taken."""
    monitor = ground.assembly.fitting.monitor
    try:
        batches = _test_batches(ground)
        test = [] if batches is None else [digest for batch in batches for digest in digests(batch)][:MOST_TEST_ROWS]
    except UserCodeError as fault:
        return MonitorFacts(monitor=monitor, test_rows=Unknown(f"the test rows can't be read: {fault}"), validated=0,
                              natural=0)
    if not test:
        return MonitorFacts(monitor=monitor, test_rows=Unknown("no test rows are known here"), validated=0, natural=0)
    validated, own = set(passed.validation), set[Digest]()
    if ground.assembly.prepared is not None:
        own = {digest for batch in ground.assembly.validation_batches() for digest in digests(batch)}
    return MonitorFacts(
        monitor=monitor, test_rows=len(test), validated=sum(digest in validated for digest in test),
        natural=sum(digest in own for digest in test),
    )


def _test_batches(ground: Ground) -> Iterable[Any] | None:
    if isinstance(ground.assembly, UserAssembly) and ground.assembly.prepared is None:
        return ground.assembly.data.test_batches()
    if ground.dataset is None or ground.split is None or not isinstance(ground.recipe.data, DataBlock):
        return None
    test = ground.split.test[:MOST_TEST_ROWS]
    standing_in = Split(train=ground.split.train, validation=test, test=test[:0])
    return validation_batches(*tensors(prepare(ground.dataset, standing_in, ground.recipe.data).validation))


def _evidence(facts: FactSet) -> str:
    parts = []
    resume, evaluation = facts.find(ResumeFacts), facts.find(EvaluationFacts)
    if isinstance(resume, ResumeFacts):
        same = resume.compared - len(resume.differing)
        parts.append(f"resumed run equal in {same} of {resume.compared} values")
    if isinstance(evaluation, EvaluationFacts):
        parts.append(f"{evaluation.examples} validation examples, {evaluation.seen_in_training} seen in training")
    return "; ".join(parts)


def _result(facts: FactSet, straight: TrainedRun) -> dict[str, Any]:
    resume = facts.find(ResumeFacts)
    assert isinstance(resume, ResumeFacts)
    return {
        "epochs": EPOCHS, "steps": straight.steps, "compared": resume.compared,
        "differing": [list(pair) for pair in resume.differing[:20]],
    }
