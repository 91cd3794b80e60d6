"""Contracts that every extension must meet, ours and other people's: call them from a test of your own.

    from assay.testing import check_dataset, check_rule

    def test_my_rule() -> None:
        check_rule(my_rule, bad=[facts_of_a_faulty_program], good=[facts_of_a_sound_one])

Each function raises AssertionError with one sentence that says what isn't met.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.facts.plain import plain
from assay.rule import Finding, Judgement, Rule, Severity, judge

HEADINGS = ("## Why it hurts", "## What is looked at", "## Remedy", "## When it is wrong to worry", "## References")
"""What a rule's page says, in this order."""


def check_rule(rule: Rule, *, bad: Sequence[FactSet], good: Sequence[FactSet]) -> None:
    """A rule is documented, fires on every bad set of facts at warning or error, and is silent on every good one.

    It never takes missing facts for a pass, says the same when asked twice, and its evidence is plain values.
    """
    check_page(rule)
    assert bad, f"{rule.name}: give at least one set of facts on which it must fire"
    assert good, f"{rule.name}: give at least one set of facts on which it must be silent"
    for number, facts in enumerate(bad):
        judgement = _judged(rule, facts)
        assert _loud(judgement), f"{rule.name} is silent on bad facts number {number}"
        assert judgement == _judged(rule, facts), f"{rule.name} says something else when it is asked again"
        for finding in judgement.findings:
            _check_finding(rule, finding)
    for number, facts in enumerate(good):
        said = _loud(_judged(rule, facts))
        assert not said, f"{rule.name} fires on good facts number {number}: {said[0].summary}"
    check_missing_facts(rule, [*bad, *good])


def check_page(rule: Rule) -> None:
    """The rule's page has a title that is a sentence, and every heading of HEADINGS with something below it."""
    assert rule.title.endswith("."), f"{rule.name}: the first line of its page is a sentence, and ends with a full stop"
    lines = rule.page.splitlines()
    found = [line for line in lines if line.startswith("## ")]
    assert found == list(HEADINGS), f"{rule.name}: its page has the headings {found} where {list(HEADINGS)} belong"
    for heading in HEADINGS:
        below = "".join(lines[lines.index(heading) + 1 :][:1]).strip()
        assert below.strip("#"), f"{rule.name}: nothing under {heading}"
        assert not below.startswith("#"), f"{rule.name}: nothing under {heading}"


def check_missing_facts(rule: Rule, known: Sequence[FactSet]) -> None:
    """Without a fact that it needs, the rule is never among the passed."""
    needed = [need.kind for need in rule.needs if not need.optional]
    for facts in (FactSet(), *known):
        for kind in needed:
            without = FactSet({each: fact for each, fact in facts.records.items() if each is not kind})
            assert rule.name not in _judged(rule, without).passed, f"{rule.name} passes without {kind.__name__}"
    if not needed:
        assert rule.name not in _judged(rule, FactSet()).passed, f"{rule.name} passes without any fact"


def check_dataset(read: Callable[[], Dataset]) -> None:
    """What a source reads is the same each time, of the right form, and its fingerprint shows one changed value."""
    dataset, again = read(), read()
    assert dataset.fingerprint() == again.fingerprint(), "reading twice gives two fingerprints"
    assert dataset.x.dtype == np.float64, f"inputs are {dataset.x.dtype}, float64 is needed"
    assert dataset.x.ndim == 2, f"inputs have {dataset.x.ndim} axes, [rows, columns] are needed"
    assert dataset.x.shape[1] == len(dataset.columns), "there isn't one name for each column"
    assert len(dataset.y) == dataset.rows, "there isn't one target for each row"
    _check_targets(dataset)
    pickled = pickle.dumps(dataset)
    kept = pickle.loads(pickled)  # noqa: S301  # what was pickled the line before
    assert kept.fingerprint() == dataset.fingerprint(), "it doesn't survive pickling"
    changed = dataset.x.copy()
    changed[-1, -1] = np.nextafter(changed[-1, -1], np.inf) if np.isfinite(changed[-1, -1]) else 0.0
    other = replace(dataset, x=changed).fingerprint()
    assert other != dataset.fingerprint(), "one changed value doesn't change the fingerprint"


def _check_targets(dataset: Dataset) -> None:
    if dataset.task == "regression":
        assert dataset.y.dtype == np.float64, f"targets are {dataset.y.dtype}, float64 is needed"
        assert not dataset.classes, "a regression has no classes"
        return
    assert dataset.classes, "a classification names its classes"
    if dataset.y.ndim == 1:
        assert dataset.y.dtype == np.int64, f"class ids are {dataset.y.dtype}, int64 is needed"
        outside = (dataset.y < 0) | (dataset.y >= len(dataset.classes))
        assert not outside.any(), f"row {int(outside.argmax())} has a class id outside [0, {len(dataset.classes)})"


def _judged(rule: Rule, facts: FactSet) -> Judgement:
    judgement = judge([rule], facts)
    assert not judgement.broken, f"{rule.name} broke: {judgement.broken.get(rule.name)}"
    return judgement


def _loud(judgement: Judgement) -> list[Finding]:
    return [finding for finding in judgement.findings if finding.severity in (Severity.ERROR, Severity.WARNING)]


def _check_finding(rule: Rule, finding: Finding) -> None:
    assert finding.summary, f"{rule.name}: a finding has a summary"
    assert finding.fix, f"{rule.name}: a finding says how to mend it"
    assert finding.evidence, f"{rule.name}: a finding has evidence"
    kept = json.loads(json.dumps(plain(finding.evidence)))
    assert kept == plain(finding.evidence), f"{rule.name}: the evidence isn't plain values"
