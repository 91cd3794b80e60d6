"""A verb's JSON document: the one form in which findings and results are handed to other programs.

    {"assay": VERSION, "verb": ..., "verdict": "pass" | "fail" | "unchecked",
     "findings": [...], "rules": {"passed", "not_checked", "not_applicable", "broken"},
     "allowed": [...], "allowed_unused": [...], "result": {...}, "program": {"exit": ...} (watch), "seconds": {...}}

It is strict JSON: not-a-number and the infinities are text.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from assay.errors import UnusableInput
from assay.facts.plain import plain
from assay.ledger import write_bytes
from assay.rule import Finding, Judgement, Where

Outcome = Literal["pass", "fail", "unchecked"]


def document(
    *,
    verb: str,
    judgement: Judgement,
    result: Mapping[str, Any],
    seconds: Mapping[str, float],
    program: Mapping[str, Any] | None = None,
    verdict: Outcome | None = None,
) -> dict[str, Any]:
    """The document of one verb.

    result      the verb's own payload: scores, plan, diagnosis, comparison
    seconds     wall-clock seconds by part
    program     what became of the watched program; left out where there is none
    verdict     where the verb knows better than the findings alone do (a gate that failed, say)
    """
    made: dict[str, Any] = {
        "assay": metadata.version("assay"),
        "verb": verb,
        "verdict": verdict or verdict_of(judgement),
        "findings": [finding_document(finding) for finding in judgement.findings],
        "rules": {
            "passed": list(judgement.passed),
            "not_checked": _with_reasons(judgement.not_checked),
            "not_applicable": list(judgement.not_applicable),
            "broken": _with_reasons(judgement.broken),
        },
        "allowed": [finding_document(finding) for finding in judgement.allowed],
        "allowed_unused": list(judgement.allowed_unused),
        "result": plain(result),
    }
    if program is not None:
        made["program"] = plain(program)
    made["seconds"] = plain(seconds)
    return made


def verdict_of(judgement: Judgement) -> Outcome:
    """`fail` with a finding at error, `unchecked` where no rule could judge anything, else `pass`."""
    if judgement.errors:
        return "fail"
    return "pass" if judgement.findings or judgement.passed else "unchecked"


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding; `where` is null where it points nowhere, `impact` and `explains` are left out where empty."""
    made: dict[str, Any] = {
        "rule": finding.rule,
        "family": finding.family,
        "severity": plain(finding.severity),
        "summary": finding.summary,
        "where": _where(finding.where),
        "evidence": plain(finding.evidence),
    }
    if finding.impact is not None:
        made["impact"] = finding.impact
    made["fix"] = finding.fix
    if finding.explains:
        made["explains"] = [finding_document(symptom) for symptom in finding.explains]
    return made


def write(document: Mapping[str, Any], target: str | Path) -> None:
    """Write a document to a file, whole or not at all, or to standard output where the target is "-".

    Raises RunFolderError where the file can't be written.
    """
    text = json.dumps(document, indent=2, allow_nan=False) + "\n"
    if str(target) == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    write_bytes(Path(target), text.encode("ascii"))


def refuse_unwritable(target: str | None, *, option: str = "--json") -> None:
    """Raise UnusableInput where a document could not be written: better before long work than after it."""
    if target is None or target == "-":
        return
    path = Path(target)
    if path.is_dir():
        raise UnusableInput(f"{target} is a folder: {option} needs the name of a file.")
    device = path.exists() and not path.is_file()  # is written to as it is, so its folder's rights don't matter
    if not path.parent.is_dir() or not os.access(path if device else path.parent, os.W_OK):
        raise UnusableInput(f"{target} can't be written: its folder doesn't exist or isn't yours to write to.")


def _where(where: Where | None) -> dict[str, Any] | None:
    if where is None or where == Where():
        return None
    return {
        "file": where.place.file if where.place else None,
        "line": where.place.line if where.place else None,
        "module": where.module,
        "step": where.step,
    }


def _with_reasons(reasons: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"rule": name, "why": why} for name, why in reasons.items()]
