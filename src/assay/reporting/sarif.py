"""Findings as SARIF 2.1.0, the form in which code hosts and editors show results of analysis beside the lines.

One run of one tool: `rules` holds each rule that found something with its page as help; `results` the findings. What
could not be checked is told as notifications, so that silence isn't taken for a pass.
See https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html (the sections are named beside what they define).
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from assay.facts.fact import Place
from assay.facts.plain import plain
from assay.ledger import write_bytes
from assay.reporting.words import evidence_line
from assay.rule import Finding, Judgement, Rule
from assay.rules import catalogue

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(judgement: Judgement, *, finished: bool = True) -> dict[str, Any]:
    """The log of one run.

    finished    whether the judged program came to its own end, or was ended as it was asked to be (3.20.14)
    """
    findings = [*judgement.findings, *judgement.allowed]
    named = {each.rule for each in findings}
    rules = [each for each in catalogue() if each.name in named]
    numbers = {each.name: number for number, each in enumerate(rules)}
    allowed = {id(each) for each in judgement.allowed}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "assay", "version": metadata.version("assay"),
                "semanticVersion": metadata.version("assay"), "rules": [_descriptor(each) for each in rules],
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"WORKING": {"uri": Path.cwd().as_uri() + "/"}},
            "invocations": [{
                "executionSuccessful": finished,
                "toolExecutionNotifications": list(_notifications(judgement)),
            }],
            "results": [
                _result(each, numbers.get(each.rule, -1), allowed=id(each) in allowed) for each in findings
            ],
        }],
    }


def write_sarif(log: dict[str, Any], target: str) -> None:
    """Write a log to a file, whole or not at all, or to standard output where the target is "-"."""
    text = json.dumps(log, indent=2, allow_nan=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_bytes(Path(target), text.encode("ascii"))


def _descriptor(rule: Rule) -> dict[str, Any]:
    """A rule (3.49): its first line, and its page as help in both forms."""
    page = inspect.cleandoc(rule.page)
    return {
        "id": rule.name,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.title},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": str(rule.severity)},
        "properties": {"tags": [rule.family]},
    }


def _result(finding: Finding, number: int, *, allowed: bool) -> dict[str, Any]:
    """A finding (3.27); one that was allowed is there, suppressed (3.35)."""
    impact = [] if finding.impact is None else [f"Impact: {finding.impact}."]
    told = [f"{finding.summary}.", f"Seen: {evidence_line(finding.evidence)}.", *impact, f"Fix: {finding.fix}."]
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": str(finding.severity),
        "message": {"text": "\n".join(told)},
        "locations": list(_locations(finding)),
        "properties": {"evidence": plain(finding.evidence), "explains": [each.rule for each in finding.explains]},
    }
    if number >= 0:
        made["ruleIndex"] = number
    if allowed:
        made["suppressions"] = [{"kind": "inSource"}]
    return made


def _locations(finding: Finding) -> Iterable[dict[str, Any]]:
    """Where it points (3.28): a line, a module by its dotted name, both or neither."""
    where = finding.where
    if where is None or (where.place is None and where.module is None):
        return
    made: dict[str, Any] = {}
    if where.place is not None:
        made["physicalLocation"] = _physical(where.place)
    if where.module is not None:
        made["logicalLocations"] = [{"fullyQualifiedName": where.module, "kind": "object"}]
    yield made


def _physical(place: Place) -> dict[str, Any]:
    path = Path(place.file)
    artifact = {"uri": path.as_uri()} if path.is_absolute() else {
        "uri": quote(path.as_posix()), "uriBaseId": "WORKING",
    }
    return {"artifactLocation": artifact, "region": {"startLine": place.line}}


def _notifications(judgement: Judgement) -> Iterable[dict[str, Any]]:
    for name, why in judgement.not_checked.items():
        yield {"level": "note", "message": {"text": f"{name} was not checked: {why}"}}
    for name, why in judgement.broken.items():
        yield {"level": "error", "message": {"text": f"{name} is broken: {why}"}}
