"""The first loss against its expectation, at the edges of what passes, and how loud it may be."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.facts.fact import Schedule
from assay.facts.fact_set import FactSet
from assay.facts.loss import LossCall, LossFacts
from assay.facts.task import TaskFacts
from assay.rule import Judgement, judge
from assay.rules.loss.initial_loss import initial_loss

CLASSES = LossCall(
    name="cross_entropy", place=None, step=0, value=2.310, chain=(), input_shape=(64, 10), classes=10,
    label_entropy=2.25,
)
NUMBERS = LossCall(name="mse_loss", place=None, step=0, value=1.1, chain=(), input_shape=(64, 1), target_variance=1.0)
SIGNS = LossCall(
    name="binary_cross_entropy_with_logits", place=None, step=0, value=0.70, chain=(), input_shape=(64,),
    target_range=(0.0, 1.0),
)
TASK = TaskFacts(kind="multiclass", outputs=10, selects="macro_f1", sense="max", label_entropy=2.30)
ERROR_OF_64 = 3 / 8


def judged(call: LossCall, task: TaskFacts | None = None) -> Judgement:
    losses = LossFacts(calls=(call,), schedule=Schedule(dense=5), backwards=1, values=1)
    return judge([initial_loss], FactSet.of(losses, *([task] if task else [])))


@pytest.mark.parametrize("call", [
    CLASSES, NUMBERS, SIGNS,
    replace(CLASSES, value=math.log(10) + 0.49 + ERROR_OF_64), replace(CLASSES, value=2.25 - 0.99 * ERROR_OF_64),
    replace(NUMBERS, value=2.5), replace(NUMBERS, value=0.4), replace(SIGNS, value=1.5),
])
def test_an_uninformed_start_passes(call: LossCall) -> None:
    assert judged(call).passed == ("initial-loss",)


@pytest.mark.parametrize(("call", "formula"), [
    (replace(CLASSES, value=math.log(10) + 0.51 + ERROR_OF_64), "log 10"), (replace(CLASSES, value=0.5), "log 10"),
    (replace(NUMBERS, value=3.0), "variance"), (replace(SIGNS, value=5.0), "log 2"),
])
def test_a_start_far_off_is_a_note_in_a_watch_and_a_warning_in_a_run(call: LossCall, formula: str) -> None:
    (note,) = judged(call).findings
    assert note.severity == "note"
    assert formula in note.summary
    (warning,) = judged(call, replace(TASK, target_variance=1.0)).findings
    assert warning.severity == "warning"


@pytest.mark.parametrize("call", [
    replace(CLASSES, value=40.0, weighted=True), replace(CLASSES, value=40.0, step=1),
    replace(CLASSES, value=40.0, name="kl_div"), replace(CLASSES, value=40.0, label_entropy=None),
    replace(SIGNS, value=40.0, target_range=(0.2, 0.9)),
])
def test_a_loss_without_a_known_expectation_is_not_applicable(call: LossCall) -> None:
    assert "initial-loss" in judged(call).not_applicable


def test_a_head_that_knows_the_frequencies_begins_at_their_entropy() -> None:
    skewed = replace(CLASSES, value=0.9, label_entropy=2.3)
    task = replace(TASK, label_entropy=0.9, prior_bias=True)
    assert judged(skewed, task).passed == ("initial-loss",)
    assert judged(skewed, replace(task, prior_bias=False)).findings


def test_a_start_that_is_not_a_number_does_not_pass() -> None:
    assert judged(replace(CLASSES, value=math.nan)).findings
