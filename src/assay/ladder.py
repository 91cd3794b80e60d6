"""The ladder: measure a stage, judge its facts, stop at the first gate that fails, go on where it stood."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol

from assay.errors import UnusableInput
from assay.facts.encoding import read_facts, write_facts
from assay.facts.fact_set import FactSet
from assay.facts.plain import plain
from assay.ledger import Ledger, write_document
from assay.rule import Finding, Judgement, judge
from assay.rules import catalogue
from assay.stage import Ground, Measured, Progress, Stage
from assay.stages import ORDER

GateVerdict = Literal["passed", "failed", "waived", "unchecked"]
"""`unchecked`: the stage could look at nothing here (its evidence says why), which is no reason to stop."""

ENDED = ("passed", "waived", "unchecked")
"""Verdicts above which the climb goes on, and which aren't measured again."""

Reported = tuple[str, ...]
"""What tells a finding from one that an earlier stage reported: rule, summary, and the rules that it explains."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How one stage ended.

    evidence    one line with its numbers
    findings    those that no earlier stage had reported
    before      it had ended in an earlier session of this run and wasn't measured again
    """

    stage: str
    verdict: GateVerdict
    evidence: str
    findings: tuple[Finding, ...]
    seconds: float
    result: dict[str, Any] = field(default_factory=dict)
    why: str | None = None
    before: bool = False


class Display(Protocol):
    """Shows a climb while it goes on."""

    def opened(self, folder: Path) -> None:
        """The run's folder is there: a new one, or one to go on with."""

    def started(self, stage: str, question: str) -> None:
        """A stage begins."""

    def progressed(self, stage: str, progress: Progress) -> None:
        """A stage has done some of its work."""

    def ended(self, outcome: Outcome) -> None:
        """A stage's gate has passed or stopped it."""


@dataclass(frozen=True, kw_only=True)
class Climb:
    """What climbing came to: the stages in order, and the judgement over all their facts."""

    folder: Path
    outcomes: tuple[Outcome, ...]
    judgement: Judgement
    facts: FactSet

    @property
    def stopped(self) -> Outcome | None:
        """The stage whose gate failed, if one did."""
        return next((outcome for outcome in self.outcomes if outcome.verdict == "failed"), None)


def climb(
    ground: Ground, *, to: str, waivers: Mapping[str, str], allow: Sequence[str], display: Display,
) -> Climb:
    """Climb from the first stage to `to`, in the run's folder `ground.folder`.

    waivers     stages whose failed gate doesn't stop the climb, each with the reason
    allow       rules whose findings are set aside

    Raises UnusableInput where `to` or a waived stage isn't on the ladder.
    """
    for name in (to, *waivers):
        stage_named(name)
    ledger = Ledger(ground.folder / "ledger.jsonl")
    done = {str(entry.payload["stage"]): entry.payload for entry in ledger.entries() if entry.event == "stage"}
    outcomes: list[Outcome] = []
    facts, reported = FactSet(), set[Reported]()
    for each in ORDER:
        folder = ground.folder / each.name
        display.started(each.name, each.question)
        if done.get(each.name, {}).get("verdict") in ENDED:
            facts = facts.joined(read_facts(folder / "facts.jsonl"))
            outcome = _outcome_before(each, done[each.name])
            reported |= {_key(finding) for finding in judge(catalogue(), facts, allow=allow).findings}
        else:
            outcome, facts = _measure(each, replace(ground, earlier=facts), display, waivers, (allow, reported))
            keep(outcome, folder, ledger, allow)
        outcomes.append(outcome)
        display.ended(outcome)
        if outcome.verdict == "failed" or each.name == to:
            break
    return Climb(
        folder=ground.folder, outcomes=tuple(outcomes), judgement=judge(catalogue(), facts, allow=allow), facts=facts,
    )


def stage_named(name: str) -> Stage:
    """The stage of this name; raises UnusableInput naming all of them where there is none."""
    for each in ORDER:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in ORDER)
    raise UnusableInput(f"There is no stage named {name!r}: the ladder's stages are {names}.")


def _measure(
    each: Stage, ground: Ground, display: Display, waivers: Mapping[str, str],
    judging: tuple[Sequence[str], set[Reported]],
) -> tuple[Outcome, FactSet]:
    """Measure one stage, keep its facts, and let the gate judge all facts so far."""
    allow, reported = judging
    began = time.monotonic()
    measured: Measured = each.measure(replace(ground, report=lambda p: display.progressed(each.name, p)))
    facts = ground.earlier.joined(measured.facts)
    judgement = judge(catalogue(), facts, allow=allow)
    findings = tuple(finding for finding in judgement.findings if _key(finding) not in reported)
    reported |= {_key(finding) for finding in findings}
    write_facts(ground.folder / each.name / "facts.jsonl", measured.facts)
    outcome = Outcome(
        stage=each.name, verdict=_verdict(measured, findings, waived=each.name in waivers), evidence=measured.evidence,
        findings=findings, seconds=time.monotonic() - began, result=measured.result, why=waivers.get(each.name),
    )
    return outcome, facts


def _verdict(measured: Measured, findings: Sequence[Finding], *, waived: bool) -> GateVerdict:
    verdict = gate(findings, waived=waived)
    return "unchecked" if verdict == "passed" and not measured.facts.records else verdict


def gate(findings: Sequence[Finding], *, waived: bool) -> GateVerdict:
    """The one gate of all stages: any finding at error stops, unless the stage is waived."""
    if not any(finding.severity == "error" for finding in findings):
        return "passed"
    return "waived" if waived else "failed"


def _key(finding: Finding) -> Reported:
    """A finding that explains more than it did before is news."""
    return (finding.rule, finding.summary, *sorted(symptom.rule for symptom in finding.explains))


def keep(outcome: Outcome, folder: Path, ledger: Ledger, allow: Sequence[str]) -> None:
    """Findings whole in the stage's folder, then the ledger's line that makes the stage count as ended."""
    write_document(folder / "findings.json", json.dumps(plain(outcome.findings), indent=1, allow_nan=False) + "\n")
    ledger.append(
        "stage", stage=outcome.stage, verdict=outcome.verdict, evidence=outcome.evidence, seconds=outcome.seconds,
        result=outcome.result, why=outcome.why, findings=[finding.rule for finding in outcome.findings],
        allow=list(allow),
    )


def _outcome_before(each: Stage, payload: Mapping[str, Any]) -> Outcome:
    return Outcome(
        stage=each.name, verdict=payload["verdict"], evidence=payload["evidence"], findings=(),
        seconds=payload["seconds"], result=payload["result"], why=payload["why"], before=True,
    )
