"""Opening the test set of a run: once, after all choices, and written down before anything is scored."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from assay.errors import UnusableInput
from assay.facts.encoding import read_facts, write_facts
from assay.facts.fact_set import FactSet, join
from assay.facts.plain import plain
from assay.facts.seal import SealFacts
from assay.ladder import ENDED, Display, Outcome, keep
from assay.ledger import Ledger, write_document
from assay.reopening import reopened, start_of
from assay.rule import Finding, Judgement, judge
from assay.rules import catalogue
from assay.run_folder import LEDGER, locked
from assay.seal import OPENED, Look, UserFile, looks_of, seal_facts, sealed_rows
from assay.stage import Ground
from assay.stages import ORDER
from assay.stages.test import refuse_unscorable, sealed_examples, test
from assay.training.best_weights import best_weights
from assay.training.threads import limited_to, threads_for

SCORES = "scores.json"


@dataclass(frozen=True, kw_only=True)
class Opened:
    """What asking for the test set came to.

    outcome     `failed` where the rows were opened before and nobody said why again: then nothing was opened
    judgement   over the facts of all stages, this one included
    """

    folder: Path
    outcome: Outcome
    judgement: Judgement
    seal: SealFacts


def open_test(run: Path, *, user_file: Path, again: str | None = None, display: Display) -> Opened:
    """Score a run's test rows, unless they were opened before.

    user_file   the user's own list of openings; it is made where it is missing
    again       why to open them although they were opened before

    An opening that was interrupted before its scores were kept is finished, and counts once.

    Raises UnusableInput where the run hasn't climbed to its end or knows no test rows, RunFolderError where one of
    the two lists can't be read or written, and what opening the experiment raises.
    """
    with reopened(run) as experiment, locked(run):
        ledger = Ledger(run / LEDGER)
        _refuse_unfinished(ledger, run)
        ground = Ground(
            recipe=experiment.resolved.recipe, assembly=experiment.assembly, folder=run, dataset=experiment.dataset,
            split=experiment.split, earlier=join(read_facts(run / each.name / "facts.jsonl") for each in ORDER),
        )
        display.opened(run)
        with limited_to(threads_for(ground.recipe, ground.assembly)):
            return _Sealed(ground, ledger, UserFile(user_file), display).opened(again)


@dataclass(frozen=True)
class _Sealed:
    """A run whose climb has ended, before its test rows."""

    ground: Ground
    ledger: Ledger
    user_file: UserFile
    display: Display

    def opened(self, again: str | None) -> Opened:
        """Judge the seal, write the opening down, score."""
        self.display.started(test.name, test.question)
        sealed_examples(self.ground)  # raises where there is nothing to open, before anything is written down
        refuse_unscorable(self.ground)
        self.user_file.make_writable()
        weights = best_weights(self.ground.folder, self.ground.recipe)
        look, seal = self._asked(weights, again)
        refused = judge(catalogue(), FactSet.of(seal)).errors  # no allowance opens a seal
        if refused and again is None:
            return self._refused(seal, refused)
        self._write_down(look, weights)
        return self._scored(look, seal)

    def _asked(self, weights: Mapping[int, str], again: str | None) -> tuple[Look, SealFacts]:
        """The look that is asked for, or the one that was interrupted, and those before it."""
        ground, started = self.ground, start_of(self.ledger, self.ground.folder)
        assert ground.dataset is not None
        assert ground.split is not None
        rows = sealed_rows(ground.dataset, ground.split)
        facts = seal_facts(self.ledger, self.user_file, run=started.checksum, rows=rows)
        look = _unfinished(self.ledger, weights)
        if look is not None and look.rows == rows:
            return look, replace(facts, earlier=tuple(each for each in facts.earlier if each.at != look.at))
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        return Look(
            look=secrets.token_hex(8), at=now, run=started.checksum, folder=str(ground.folder.resolve()), rows=rows,
            why=again if facts.earlier else None,
        ), facts

    def _write_down(self, look: Look, weights: Mapping[int, str]) -> None:
        if look.look not in {each.look for each in looks_of(self.ledger)}:
            self.ledger.append(OPENED, **asdict(look), weights=_by_name(weights))
        self.user_file.add(look)

    def _scored(self, look: Look, seal: SealFacts) -> Opened:
        began = datetime.now(UTC)
        ground = replace(self.ground, report=lambda progress: self.display.progressed(test.name, progress))
        measured = test.measure(ground)
        facts = FactSet.of(seal).joined(measured.facts)
        judgement = self._judged(facts)
        findings = self._news(judgement)
        openings = [*((each.at, each.why) for each in seal.earlier), (look.at, look.why)]
        outcome = Outcome(
            stage=test.name, verdict="waived" if seal.earlier else "passed", evidence=measured.evidence,
            findings=findings, seconds=(datetime.now(UTC) - began).total_seconds(), why=look.why,
            result={**measured.result, "look": look.look, "openings": [_told(*each) for each in openings]},
        )
        folder = self.ground.folder / test.name
        write_facts(folder / "facts.jsonl", facts)
        write_document(folder / SCORES, json.dumps(plain(outcome.result), indent=1, allow_nan=False) + "\n")
        keep(outcome, folder, self.ledger, self.ground.recipe.allow)
        self.display.ended(outcome)
        return Opened(folder=self.ground.folder, outcome=outcome, judgement=judgement, seal=seal)

    def _refused(self, seal: SealFacts, findings: tuple[Finding, ...]) -> Opened:
        outcome = Outcome(
            stage=test.name, verdict="failed", evidence="nothing was opened", findings=findings, seconds=0.0,
            result={"openings": [_told(each.at, each.why) for each in seal.earlier]},
        )
        self.display.ended(outcome)
        return Opened(
            folder=self.ground.folder, outcome=outcome, judgement=self._judged(FactSet.of(seal)), seal=seal,
        )

    def _judged(self, facts: FactSet) -> Judgement:
        return judge(catalogue(), self.ground.earlier.joined(facts), allow=self.ground.recipe.allow)

    def _news(self, judgement: Judgement) -> tuple[Finding, ...]:
        before = self._judged(FactSet()).findings
        return tuple(finding for finding in judgement.findings if finding not in before)


def _refuse_unfinished(ledger: Ledger, run: Path) -> None:
    ended = [entry.payload for entry in ledger.entries() if entry.event == "stage"]
    verdicts = {payload["stage"]: payload["verdict"] for payload in ended}
    for each in ORDER:
        verdict = verdicts.get(each.name)
        if verdict not in ENDED:
            stands = "failed" if verdict == "failed" else "has not been climbed"
            raise UnusableInput(
                f"{run} is not at its end: {each.name} {stands}, so choices are still open and the test set stays "
                f"closed; `assay run {run}` goes on."
            )


def _unfinished(ledger: Ledger, weights: Mapping[int, str]) -> Look | None:
    """The last opening, where its scores were never kept and the weights are still the ones it was for."""
    entries = ledger.entries()
    ended = {entry.payload["result"].get("look") for entry in entries
             if entry.event == "stage" and entry.payload["stage"] == test.name}
    opened = [entry.payload["weights"] for entry in entries if entry.event == OPENED]
    looks = looks_of(ledger)
    if not looks or looks[-1].look in ended or opened[-1] != _by_name(weights):
        return None
    return looks[-1]


def _by_name(weights: Mapping[int, str]) -> dict[str, str]:
    return {str(seed): digest for seed, digest in weights.items()}


def _told(at: str, why: str | None) -> dict[str, str | None]:
    return {"at": at, "why": why}
