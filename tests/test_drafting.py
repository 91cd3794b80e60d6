from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay import sources
from assay.drafting import batch_size_for, draft
from assay.errors import DataError
from assay.preparation import describe
from assay.recipe.choice import Status
from assay.recipe.derived import derive
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import resolve, with_data
from assay.recipe.schema import DataBlock, SplitPlan

NAMES = ("digits", "wine", "breast_cancer", "diabetes", "iris")


@pytest.mark.parametrize("name", NAMES)
def test_a_draft_reads_back_and_lacks_nothing(name: str) -> None:
    source, dataset = sources.find(name)
    drafted = draft(dataset, source=source)
    document = parse_recipe(drafted.text())
    assert document.recipe == drafted.recipe
    assert document.choices == drafted.choices
    resolved = resolve(document)
    assert resolved.missing == ()
    assert with_data(resolved, describe(dataset, source=source, plan=SplitPlan())).recipe == resolved.recipe
    derived = derive(resolved.recipe)
    assert derived.cost is not None
    assert derived.cost.seconds < 60
    assert all(quantity.value is not None for key, quantity in derived.quantities().items() if "softmax" not in key)


@pytest.mark.parametrize(
    ("name", "task", "loss", "monitor"),
    [
        ("digits", "multiclass", "cross_entropy", "val_macro_f1"),
        ("breast_cancer", "binary", "binary_cross_entropy_with_logits", "val_macro_f1"),
        ("diabetes", "regression", "mse", "val_rmse"),
    ],
)
def test_task_loss_and_metrics_follow_from_the_target(name: str, task: str, loss: str, monitor: str) -> None:
    source, dataset = sources.find(name)
    recipe = draft(dataset, source=source).recipe
    assert (recipe.task, recipe.objective.loss, recipe.checkpointing.monitor) == (task, loss, monitor)


def test_every_choice_has_a_status_and_a_reason() -> None:
    source, dataset = sources.find("wine")
    choices = draft(dataset, source=source).choices
    assert all(choice.why or choice.source for choice in choices.values())
    assert {choice.status for choice in choices.values()} == set(Status)


def test_the_block_holds_what_plan_needs() -> None:
    source, dataset = sources.find("digits")
    data = draft(dataset, source=source).recipe.data
    assert isinstance(data, DataBlock)
    assert data.rows == 1797
    assert data.class_counts is not None
    assert sum(data.class_counts) == 1797
    assert data.fingerprint == dataset.fingerprint()


@pytest.mark.parametrize(("rows", "size"), [(1, 16), (90, 16), (1078, 32), (4000, 64), (10**6, 256)])
def test_the_batch_size_leaves_enough_steps_an_epoch(rows: int, size: int) -> None:
    assert batch_size_for(rows) == size


def test_data_that_cannot_be_learned_from_are_refused_in_words() -> None:
    source, dataset = sources.find("iris")
    one = replace(dataset, y=np.zeros_like(dataset.y), classes=("setosa",))
    with pytest.raises(DataError, match="iris: data has one class only"):
        draft(one, source=source)
    few = replace(dataset, x=dataset.x[:1], y=dataset.y[:1])
    with pytest.raises(DataError, match="iris has 1 rows, too few to train on"):
        draft(few, source=source)
