"""Conflicting, suspect and unrelated labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.label_quality import RelationFacts, SuspectFacts
from assay.measure.conflicts import measure_conflicts
from assay.measure.relation import measure_relation
from assay.measure.suspects import measure_suspects
from assay.preparation import split
from assay.recipe.schema import SplitPlan
from assay.rule import judge
from assay.rules.data.label_suspect import label_suspect
from assay.rules.data.labels_unrelated import labels_unrelated
from tests.measure.tables import parts, table

REAL = [load_digits, load_wine, load_breast_cancer, load_iris]


def real(load: object) -> Dataset:
    bunch = load()  # type: ignore[operator]
    classes = tuple(str(name) for name in bunch.target_names)
    return table(bunch.data, bunch.target, classes=classes, task="binary" if len(classes) == 2 else "multiclass")


def test_conflicts_are_the_rows_that_differ_from_the_usual_label_of_their_input() -> None:
    x = [[1.0], [1.0], [1.0], [2.0], [2.0], [3.0], [1.0]]
    facts = measure_conflicts(table(x, [0, 0, 1, 1, 1, 0, 1]), parts([0, 1, 2, 3], [4, 5], [6]))
    assert (facts.rows, facts.repeated, facts.conflicting) == (6, 5, 1)
    assert facts.examples == ((0, 2, "no", "yes"),)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=2, max_size=20))
def test_conflicts_agree_with_a_count_by_hand(rows: list[tuple[int, int]]) -> None:
    facts = measure_conflicts(
        table([[x] for x, _ in rows], [y for _, y in rows]), parts(range(len(rows) - 1), [len(rows) - 1])
    )
    by_input = [[y for x, y in rows if x == value] for value in range(4)]
    assert facts.conflicting == sum(min(labels.count(0), labels.count(1)) for labels in by_input)
    assert facts.repeated == sum(len(labels) for labels in by_input if len(labels) > 1)


def test_targets_of_a_regression_differ_from_half_a_deviation_on() -> None:
    x = [[1.0], [1.0], [2.0], [2.0], [3.0]]
    facts = measure_conflicts(
        table(x, [0.0, 0.1, 0.0, 8.0, 4.0], classes=(), task="regression"), parts([0, 1, 2, 3], [4]),
    )
    assert facts.conflicting == 1
    assert facts.examples[0][:2] == (2, 3)


@pytest.mark.parametrize("load", REAL)
def test_real_labels_are_not_suspect_and_mixed_up_ones_are_among_the_named(load: object) -> None:
    plain = real(load)
    facts = measure_suspects(plain, split(plain, SplitPlan()))
    assert isinstance(facts, SuspectFacts)
    assert judge([label_suspect], FactSet.of(facts)).findings == ()


@pytest.mark.parametrize("load", [load_digits, load_breast_cancer])
def test_labels_that_were_mixed_up_are_named_first(load: object) -> None:
    plain = real(load)
    mixed = np.random.default_rng(0).random(plain.rows) < 0.06
    wrong = replace(plain, y=np.where(mixed, (plain.y + 1) % len(plain.classes), plain.y))
    facts = measure_suspects(wrong, split(wrong, SplitPlan()))
    assert isinstance(facts, SuspectFacts)
    assert len(judge([label_suspect], FactSet.of(facts)).findings) == 1
    assert np.mean([mixed[each.row] for each in facts.suspects]) >= 0.9
    assert [each.probability for each in facts.suspects] == sorted(each.probability for each in facts.suspects)


def test_hard_labels_are_not_checked_and_regressions_not_applicable() -> None:
    rng = np.random.default_rng(0)
    hard = table(rng.normal(size=(300, 3)), rng.integers(0, 2, size=300))
    facts = measure_suspects(hard, split(hard, SplitPlan()))
    assert isinstance(facts, SuspectFacts)
    assert "label-suspect" in judge([label_suspect], FactSet.of(facts)).not_checked
    found = measure_suspects(table(np.zeros((9, 1)), np.arange(9.0), classes=(), task="regression"), parts([0], [1]))
    assert isinstance(found, Absent)
    assert not found.applicable


@pytest.mark.parametrize("load", REAL)
def test_real_labels_are_related_and_permuted_ones_unrelated(load: object) -> None:
    plain = real(load)
    permuted = replace(plain, y=np.random.default_rng(0).permutation(plain.y))
    for dataset, found in ((plain, 0), (permuted, 1)):
        facts = measure_relation(dataset, split(dataset, SplitPlan()))
        assert isinstance(facts, RelationFacts)
        assert len(judge([labels_unrelated], FactSet.of(facts)).findings) == found


def test_test_rows_change_nothing() -> None:
    rng = np.random.default_rng(0)
    plain = table(rng.normal(size=(300, 4)), rng.integers(0, 2, size=300))
    rows = split(plain, SplitPlan())
    x, y = plain.x.copy(), plain.y.copy()
    x[rows.test], y[rows.test] = 1e9, 1 - y[rows.test]
    other = replace(plain, x=x, y=y)
    for measure in (measure_conflicts, measure_suspects, measure_relation):
        assert measure(plain, rows) == measure(other, rows)
