"""Labels: does every one name a class?"""

from __future__ import annotations

import numpy as np

from assay.facts.fact import Absent
from assay.facts.splits import LabelFacts
from assay.measure.labels import measure_labels
from tests.measure.tables import parts, table


def measured(labels: object, *, ignore_index: int | None = None) -> LabelFacts | Absent:
    y = np.asarray(labels)
    rows = len(y)
    split = parts(range(rows - 2), [rows - 2], [rows - 1])
    return measure_labels(table(np.arange(rows)[:, None], y), split, ignore_index=ignore_index)


def test_labels_that_name_classes_leave_nothing_outside() -> None:
    facts = measured([0, 1, 1, 0, 1])
    assert facts == LabelFacts(classes=2, smallest=0.0, largest=1.0, outside=(), outside_rows=0)


def test_each_way_of_naming_no_class_is_found_with_its_row() -> None:
    facts = measured([0.5, 1, -1, 2, np.nan, 0, 0])
    assert isinstance(facts, LabelFacts)
    assert [row for row, _ in facts.outside] == [0, 2, 3, 4]


def test_the_test_rows_are_not_looked_at() -> None:
    facts = measured([0, 1, 0, 9])
    assert isinstance(facts, LabelFacts)
    assert facts.outside == ()


def test_ten_rows_are_named_and_all_are_counted() -> None:
    facts = measured([5] * 40)
    assert isinstance(facts, LabelFacts)
    assert (len(facts.outside), facts.outside_rows) == (10, 39)


def test_the_value_that_the_loss_ignores_names_no_class_and_is_no_fault() -> None:
    facts = measured([0, -100, 1, 1], ignore_index=-100)
    assert isinstance(facts, LabelFacts)
    assert facts.outside == ()


def test_a_regression_has_no_labels_to_look_at() -> None:
    facts = measure_labels(table([[1.0], [2.0]], [0.5, 1.5], classes=(), task="regression"), parts([0], [1]))
    assert isinstance(facts, Absent)
    assert not facts.applicable
