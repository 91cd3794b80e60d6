"""What holds for every rule of the catalogue, and for every program beside the rules."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.rule import Rule, Verdict
from assay.rules import catalogue
from assay.testing import check_missing_facts, check_page
from tests.rules.programs import (
    RULES,
    ProgramFile,
    findings_of,
    folders,
    healthy,
    loud,
    missed,
    programs_of,
    recorded,
)

ALL = catalogue()
SOUND = [*healthy(), *(each for rule in ALL for each in programs_of(rule) if not each.bad)]

each_rule = pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.name)


@each_rule
def test_is_documented(rule: Rule) -> None:
    check_page(rule)


@each_rule
def test_has_a_pair_and_passes_it(rule: Rule) -> None:
    programs = programs_of(rule)
    assert {"bad.py", "good.py"} <= {each.path.name for each in programs}, f"{rule.name} has no bad.py and good.py"
    assert missed(rule, programs) == []


@each_rule
def test_a_copy_that_never_fires_is_caught(rule: Rule) -> None:
    assert missed(_muted(rule), programs_of(rule)) != []


@each_rule
def test_missing_facts_are_not_a_pass(rule: Rule) -> None:
    check_missing_facts(rule, [recorded(program) for program in programs_of(rule)])


@pytest.mark.parametrize("program", SOUND, ids=lambda program: program.name)
def test_no_rule_is_loud_on_a_sound_program(program: ProgramFile) -> None:
    alarms = {rule.name: [finding.summary for finding in loud(findings_of(rule, program))] for rule in ALL}
    assert {name: summaries for name, summaries in alarms.items() if summaries} == {}


def test_no_folder_is_left_over() -> None:
    expected = {RULES / rule.family / rule.name.replace("-", "_") for rule in ALL}
    assert [str(folder) for folder in folders() if folder not in expected] == []


def test_no_program_is_taken_for_a_test() -> None:
    names = [program.name for rule in ALL for program in programs_of(rule)] + [program.name for program in healthy()]
    assert [name for name in names if name.endswith("_test.py") or Path(name).name.startswith("test_")] == []


def test_good_differs_from_bad_by_the_remedy_alone() -> None:
    for rule in ALL:
        named = {each.path.name: each.text.splitlines() for each in programs_of(rule)}
        if {"bad.py", "good.py"} <= named.keys():
            bad, good = set(map(_bare, named["bad.py"])), set(map(_bare, named["good.py"]))
            assert len(bad - good) <= MOST_CHANGED, f"{rule.name}: bad.py has {len(bad - good)} lines of its own"
            assert len(good - bad) <= MOST_CHANGED, f"{rule.name}: good.py has {len(good - bad)} lines of its own"


MOST_CHANGED = 6
"""Lines that a remedy may take, the line of the docstring included."""


def _bare(line: str) -> str:
    return line.partition("  #")[0].strip()


def _muted(rule: Rule) -> Rule:
    @functools.wraps(rule.judge)
    def silent(**_: Any) -> Iterator[Verdict]:
        return iter(())

    return replace(rule, judge=silent)
