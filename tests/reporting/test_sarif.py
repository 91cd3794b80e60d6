"""SARIF: what the standard requires of a log, and that nothing found is lost in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.facts.fact import Place
from assay.reporting.sarif import sarif, write_sarif
from assay.rule import ERROR, NOTE, Finding, Judgement, Where

FINDING = Finding(
    summary="softmax is applied twice", evidence={"row_sums": (1.0, float("nan"))}, fix="pass the scores",
    where=Where(place=Place("my code/train.py", 12), module="head", step=0), impact="the loss stalls",
    severity=ERROR, rule="loss-on-probabilities", family="loss",
)
NOWHERE = Finding(
    summary="seeds differ", evidence={"runs": 2}, fix="seed", severity=NOTE, rule="unseeded", family="record",
)
JUDGEMENT = Judgement(
    findings=(FINDING, NOWHERE), not_checked={"rate-too-low": "too few steps"}, broken={"x": "ValueError: y"},
    allowed=(replace(FINDING),), passed=("loss-broadcast",),
)


def run() -> dict[str, Any]:
    log = json.loads(json.dumps(sarif(JUDGEMENT), allow_nan=False))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    made: dict[str, Any] = log["runs"][0]
    return made


def test_each_result_names_its_rule_by_number_and_the_rule_has_its_page() -> None:
    made = run()
    rules = made["tool"]["driver"]["rules"]
    assert len({each["id"] for each in rules}) == len(rules)
    for result in made["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert "## Why it hurts" in rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert result["level"] in ("error", "warning", "note")


def test_places_are_relative_addresses_and_lines() -> None:
    first, nowhere, _ = run()["results"]
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "my%20code/train.py", "uriBaseId": "WORKING"}
    assert physical["region"] == {"startLine": 12}
    assert first["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "head", "kind": "object"}]
    assert nowhere["locations"] == []
    assert run()["originalUriBaseIds"]["WORKING"]["uri"].endswith("/")


def test_messages_hold_what_was_seen_what_it_costs_and_what_to_do() -> None:
    text = run()["results"][0]["message"]["text"]
    for part in ("softmax is applied twice", "row sums", "the loss stalls", "pass the scores"):
        assert part in text


def test_what_was_allowed_is_suppressed_and_what_was_not_checked_is_told() -> None:
    made = run()
    assert ["suppressions" in each for each in made["results"]] == [False, False, True]
    told = made["invocations"][0]["toolExecutionNotifications"]
    assert [each["level"] for each in told] == ["note", "error"]
    assert "rate-too-low was not checked: too few steps" in told[0]["message"]["text"]


def test_it_is_written_whole_or_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = sarif(Judgement())
    write_sarif(log, str(tmp_path / "x.sarif"))
    write_sarif(log, "-")
    assert json.loads((tmp_path / "x.sarif").read_text()) == json.loads(capsys.readouterr().out) == log
