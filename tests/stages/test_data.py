"""The data stage: what it measures, says and leaves to the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.splits import ColumnFacts, DataVersionFacts, LabelFacts, SplitFacts
from assay.facts.task import TaskFacts
from assay.preparation import describe, prepare, split
from assay.recipe.schema import ClassPath, DataBlock, Recipe, SplitPlan
from assay.rule import Judgement, judge
from assay.rules import catalogue
from assay.sources import load
from assay.stage import Ground, Measured, Progress
from assay.stages.data import LOOKS, data

TABLES = ("digits", "wine", "breast_cancer", "iris", "diabetes")


def table(name: str) -> Dataset:
    return load(DataBlock(source="sklearn", name=name))


def ground(dataset: Dataset, **changed: Any) -> Ground:
    """The ground of an experiment on this table, as `run` lays it."""
    block = describe(dataset, source="sklearn", plan=SplitPlan())
    parts = split(dataset, block.split)
    task = TaskFacts(kind=dataset.task, outputs=1, classes=dataset.classes, selects="macro_f1", sense="max")
    assembly: Any = SimpleNamespace(task=task, prepared=prepare(dataset, parts, block))
    laid = Ground(
        recipe=Recipe(data=block), assembly=assembly, folder=Path("unused"), earlier=FactSet(), report=lambda _: None,
        dataset=dataset, split=parts,
    )
    return replace(laid, **changed)


def judged(measured: Measured) -> Judgement:
    return judge(catalogue(), measured.facts)


@pytest.mark.parametrize("name", TABLES)
def test_real_tables_pass(name: str) -> None:
    judgement = judged(data.measure(ground(table(name))))
    assert judgement.errors == ()
    assert {finding.rule for finding in judgement.findings} <= {"split-empty"}  # small tables: said, and passed
    assert {"split-overlap", "bad-values", "data-changed"} <= set(judgement.passed)


@pytest.mark.parametrize(("name", "evidence"), [
    ("digits", "1797 rows × 64 columns, split 1078 / 360 / 359, 10 classes of 104 to 110 training examples"),
    ("iris", "150 rows × 4 columns, split 90 / 30 / 30, training examples: setosa 30, versicolor 30, virginica 30"),
    ("diabetes", "442 rows × 10 columns, split 266 / 88 / 88"),
])
def test_the_line_of_evidence_gives_sizes_and_classes(name: str, evidence: str) -> None:
    assert data.measure(ground(table(name))).evidence == evidence


def test_the_result_holds_fingerprint_class_distribution_and_what_the_model_sees() -> None:
    dataset = table("iris")
    result = data.measure(ground(dataset)).result
    assert result["fingerprint"] == dataset.fingerprint()
    assert result["splits"]["validation"] == {
        "rows": 30, "classes": {"setosa": 10, "versicolor": 10, "virginica": 10},
    }
    assert result["seen"]["shape"] == [90, 4]
    assert result["seen"]["mean"] == pytest.approx(0, abs=1e-6)
    assert result["seen"]["deviation"] == pytest.approx(1, abs=1e-6)


def test_one_changed_value_is_a_finding_of_data_changed() -> None:
    laid = ground(table("iris"))
    assert laid.dataset is not None
    x = laid.dataset.x.copy()
    x[7, 1] += 0.1
    errors = judged(data.measure(replace(laid, dataset=replace(laid.dataset, x=x)))).errors
    assert [finding.rule for finding in errors] == ["data-changed"]
    assert "other values" in errors[0].summary


def test_a_missing_row_is_named_as_the_change() -> None:
    laid = ground(table("iris"))
    assert laid.dataset is not None
    shorter = replace(laid.dataset, x=laid.dataset.x[:-1], y=laid.dataset.y[:-1])
    parts = split(shorter, SplitPlan())
    errors = judged(data.measure(replace(laid, dataset=shorter, split=parts))).errors
    assert "rows: 150, now 149" in errors[0].summary
    assert "class_counts: (50, 50, 50), now (50, 50, 49)" in errors[0].summary


def test_a_recipe_without_a_fingerprint_leaves_the_comparison_unchecked() -> None:
    laid = ground(table("iris"))
    recipe = Recipe(data=DataBlock(source="sklearn", name="iris"))
    assert "data-changed" in judged(data.measure(replace(laid, recipe=recipe))).not_checked


def test_a_missing_value_stops_it() -> None:
    dataset = table("iris")
    dataset.x[3, 2] = np.nan
    errors = judged(data.measure(ground(dataset))).errors
    assert [finding.rule for finding in errors] == ["bad-values"]
    assert "row 3" in errors[0].summary


def test_peoples_own_data_are_not_checked_and_the_reason_is_given() -> None:
    unknown: Any = SimpleNamespace(task=None, prepared=None)
    recipe = Recipe(data=ClassPath(class_path="mine.Data"))
    measured = data.measure(replace(ground(table("iris")), dataset=None, split=None, recipe=recipe, assembly=unknown))
    for kind in (SplitFacts, ColumnFacts, LabelFacts, DataVersionFacts, TaskFacts):
        assert isinstance(measured.facts.find(kind), Absent)
    judgement = judged(measured)
    assert judgement.findings == ()
    assert "split-overlap" in judgement.not_checked
    assert measured.evidence.startswith("people's own data modules")


def test_it_says_how_far_it_is() -> None:
    told: list[Progress] = []
    data.measure(ground(table("iris"), report=told.append))
    assert [(step.done, step.total) for step in told] == [(done, len(LOOKS)) for done in range(len(LOOKS))]
