"""How loud a loss that isn't finite is: one among many may have been skipped, two were not."""

from __future__ import annotations

import math

import pytest

from assay.facts.fact import Schedule
from assay.facts.fact_set import FactSet
from assay.facts.loss import LossCall, LossFacts
from assay.rule import judge
from assay.rules.loss.loss_not_finite import loss_not_finite


def call(step: int, value: float) -> LossCall:
    return LossCall(name="backward", place=None, step=step, value=value, chain=("Mean", "Log"))


@pytest.mark.parametrize(("values", "not_finite", "severity"), [
    (100, 1, "warning"), (100, 2, "error"), (1, 1, "error"),
])
def test_severity(values: int, not_finite: int, severity: str) -> None:
    losses = LossFacts(
        calls=(call(0, 1.5), call(2, 1.25), call(8, 1.0)), schedule=Schedule(dense=1), backwards=values, values=values,
        not_finite=not_finite, first_not_finite=call(5, math.nan),
    )
    (finding,) = judge([loss_not_finite], FactSet.of(losses)).findings
    assert finding.severity == severity
    assert finding.evidence["last_sampled_before"] == 1.25
    assert finding.evidence["chain"] == ["Mean", "Log"]


def test_without_a_value_nothing_is_checked() -> None:
    losses = LossFacts(calls=(), schedule=Schedule(dense=1), backwards=3)
    assert "loss-not-finite" in judge([loss_not_finite], FactSet.of(losses)).not_checked
