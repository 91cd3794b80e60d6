"""Columns: what can't be learned from, and where it stands."""

from __future__ import annotations

import numpy as np

from assay.facts.fact_set import FactSet
from assay.facts.splits import BadColumn
from assay.facts.table import TableFacts
from assay.measure.columns import measure_columns
from assay.rule import judge
from assay.rules.data.bad_values import bad_values
from tests.measure.tables import parts, table

ROWS = parts([0, 1, 2], [3], [4])


def bad(x: list[list[float]], y: object = None, **options: object) -> tuple[BadColumn, ...]:
    labels = [0, 1, 0, 1, 0] if y is None else y
    return measure_columns(table(np.array(x).T, labels, **options), ROWS).bad  # type: ignore[arg-type]


def test_a_sound_table_has_none() -> None:
    assert bad([[1, 2, 3, 4, 5], [0, 1, 0, 1, 0]]) == ()


def test_missing_and_infinite_values_are_counted_in_all_rows() -> None:
    assert bad([[1, 2, np.nan, 4, np.nan], [np.inf, 1, 2, 3, -np.inf]]) == (
        BadColumn(column="c0", what="NaN", count=2, rows=(2, 4)),
        BadColumn(column="c1", what="infinite", count=2, rows=(0, 4)),
    )


def test_an_empty_column_is_empty_and_not_missing_or_constant_too() -> None:
    assert [column.what for column in bad([[np.nan] * 5])] == ["empty"]


def test_constancy_is_asked_of_the_training_rows_alone() -> None:
    assert [column.what for column in bad([[7, 7, 7, 8, 9], [7, 7, 8, 8, 8]])] == ["constant"]


def test_a_column_of_zeros_is_told_apart_from_another_constant() -> None:
    assert [column.what for column in bad([[0, 0, 0, 0, 1]])] == ["always zero"]


def test_the_target_is_looked_at_too() -> None:
    found = bad([[1, 2, 3, 4, 5]], [1.0, np.nan, 2.0, 3.0, 4.0], classes=(), task="regression")
    assert found == (BadColumn(column="target", what="NaN", count=1, rows=(1,)),)


def test_a_target_that_never_varies_is_named_whatever_its_value() -> None:
    for value in (0.0, 3.5):
        found = bad([[1, 2, 3, 4, 5]], [value] * 5, classes=(), task="regression")
        assert [(column.column, column.what) for column in found] == [("target", "constant target")]


def test_rows_without_a_target_are_told_in_a_note() -> None:
    sound = measure_columns(table([[1, 2], [2, 1], [3, 5], [4, 2], [5, 0]], [0, 1, 0, 1, 0]), ROWS)
    for rows, said in (((7,), "one row has no target and is left out: row 7"),
                       ((3, 70), "2 rows have no target and are left out, the first of them row 3")):
        read = TableFacts(files=("table.csv",), missing_targets=rows)
        (found,) = judge([bad_values], FactSet.of(sound, read)).findings
        assert (found.severity, found.summary) == ("note", said)
