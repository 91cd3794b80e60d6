"""A monitored quantity whose name says that it is measured on the test set."""

from __future__ import annotations

import pytest

from assay.facts.fact import Unknown
from assay.facts.fact_set import FactSet
from assay.facts.monitor import MonitorFacts
from assay.rule import Judgement, judge
from assay.rules.evaluation.selected_on_test import selected_on_test


def judged(monitor: str = "val_loss", rows: int | Unknown = 100, validated: int = 0, natural: int = 0) -> Judgement:
    facts = MonitorFacts(monitor=monitor, test_rows=rows, validated=validated, natural=natural)
    return judge([selected_on_test], FactSet.of(facts))


@pytest.mark.parametrize("monitor", ["test_acc", "acc/test", "Test Loss", "test"])
def test_a_test_metric_is_found_by_its_name(monitor: str) -> None:
    assert [finding.evidence["monitor"] for finding in judged(monitor, Unknown("own data")).errors] == [monitor]


@pytest.mark.parametrize("monitor", ["val_loss", "latest_acc", "contested", "val_testosterone_mae"])
def test_a_word_that_holds_the_letters_is_none(monitor: str) -> None:
    assert judged(monitor).passed == ("selected-on-test",)


@pytest.mark.parametrize(("validated", "natural", "found"), [(50, 0, False), (51, 0, True), (90, 40, False)])
def test_more_than_half_of_the_rows_are_no_accident(validated: int, natural: int, found: bool) -> None:
    assert bool(judged(validated=validated, natural=natural).errors) is found


def test_rows_that_are_not_known_are_no_pass() -> None:
    assert judged(rows=Unknown("no test rows are known here")).not_checked == {
        "selected-on-test": "no test rows are known here",
    }
