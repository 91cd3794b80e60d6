"""The ends of a target: caps are counted, counts and natural ends are told apart."""

from __future__ import annotations

import numpy as np
import pytest

from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.target_ends import measure_target_ends
from assay.rule import judge
from assay.rules.data.target_capped import target_capped
from tests.measure.tables import parts, table

RNG = np.random.default_rng(0)
SPREAD = np.exp(RNG.normal(size=800)) * 10 + 3


def severities(y: np.ndarray) -> list[str]:
    dataset = table(np.zeros((len(y), 1)), np.asarray(y, dtype=float), classes=(), task="regression")
    facts = measure_target_ends(dataset, parts(range(600), range(600, 700), range(700, 800)))
    assert not isinstance(facts, Absent)
    return [str(finding.severity) for finding in judge([target_capped], FactSet.of(facts)).findings]


@pytest.mark.parametrize(("y", "expected"), [
    (SPREAD, []),
    (np.minimum(SPREAD, 30), ["warning"]),
    (np.maximum(SPREAD, 6), ["warning"]),
    (np.clip(SPREAD, 6, 30), ["warning", "warning"]),
    (np.minimum(np.round(SPREAD * 1000), 30001), ["warning"]),
    (np.minimum(SPREAD * 4, 100.0), ["note"]),
    (np.maximum(SPREAD - 10, 0), []),
    (np.minimum(RNG.poisson(30, size=800), 40), []),
    (np.minimum(RNG.poisson(3, size=800), 5), []),
    (np.round(SPREAD), []),
    (np.round(RNG.exponential(5, size=800) + 5, 1), []),
], ids=["heavy tail", "cap", "floor", "both", "whole-number cap", "percent", "zero", "count", "scale", "rounded",
        "edge of a density"])
def test_a_cap_is_told_from_a_natural_end(y: np.ndarray, expected: list[str]) -> None:
    assert severities(y) == expected


def test_classes_have_no_ends_and_test_rows_are_not_looked_at() -> None:
    split = parts(range(6), [6, 7], [8])
    assert isinstance(measure_target_ends(table(np.zeros((9, 1))), split), Absent)
    y = np.arange(9.0)
    y[8] = 1e9
    facts = measure_target_ends(table(np.zeros((9, 1)), y, classes=(), task="regression"), split)
    assert not isinstance(facts, Absent)
    assert facts.ends[0].value == 7
