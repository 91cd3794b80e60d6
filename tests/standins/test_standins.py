"""Each published error is found where it is made, by the rule of its cause, in a stand-in of six steps at most."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.rule import ERROR, WARNING, judge
from assay.rules import catalogue
from tests.rules.programs import ProgramFile, recorded

HERE = Path(__file__).parent

EXPECTED = {
    "attention_drops_when_evaluated": "eval-augmented",
    "bare_module_is_called": "wrapper-bypassed",
    "clipped_on_one_rank": "replicas-differ",
    "gradients_are_never_cleared": "grad-accumulates",
    "only_norms_are_trained": "frozen-head",
    "optimizer_made_before_wrapping": "optimizer-stale",
    "parameters_replaced_after_wrapping": "wrapped-too-early",
    "step_without_effect": "update-lost",
    "transfer_that_loses_numbers": "replicas-differ",
    "workers_draw_alike": "worker-seeds",
}
"""The rule that names the cause, by stand-in."""



def test_every_standin_is_expected() -> None:
    files = {path.stem for path in HERE.glob("*.py")} - {"__init__", "test_standins"}
    assert files == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_cause_is_found(name: str) -> None:
    program = ProgramFile(HERE / f"{name}.py")
    judgement = judge(catalogue(), recorded(program))
    loud = [finding for finding in judgement.findings if finding.severity in (ERROR, WARNING)]
    assert [finding.rule for finding in loud] == [EXPECTED[name]]
    (finding,) = loud
    assert finding.where is not None
    assert finding.where.place is not None
    assert {finding.where.place.line} == program.marked
