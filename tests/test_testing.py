"""The shipped contracts: sound extensions meet them, and each way of breaking one is caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.facts.task import TaskFacts
from assay.rule import WARNING, Finding, Rule, Verdict
from assay.sources.sklearn import read
from assay.testing import HEADINGS, check_dataset, check_page, check_rule

PAGE = "Many outputs.\n\n" + "\n".join(f"{heading}\nSomething.\n" for heading in HEADINGS)


def _facts(outputs: int) -> FactSet:
    return FactSet.of(TaskFacts(kind="multiclass", outputs=outputs, selects="accuracy", sense="max"))


def _many(task: TaskFacts) -> Iterator[Verdict]:
    if task.outputs > 5:
        yield Finding(summary="many outputs", evidence={"outputs": task.outputs}, fix="use fewer")


def _optional(task: TaskFacts | None) -> Iterator[Verdict]:
    if task is not None:
        yield from _many(task)


MANY = Rule(name="many", family="model", severity=WARNING, judge=_many, implied_by=(), page=PAGE)


def test_a_sound_rule_meets_its_contract() -> None:
    check_rule(MANY, bad=[_facts(6), _facts(60)], good=[_facts(5)])


@pytest.mark.parametrize(
    ("rule", "bad", "good", "said"),
    [
        (MANY, [3], [3], "silent on bad facts number 0"),
        (MANY, [6], [5, 9], "fires on good facts number 1"),
        (replace(MANY, judge=_optional), [6], [5], "passes without any fact"),
        (replace(MANY, page="Many outputs.\n"), [6], [5], "has the headings"),
        (replace(MANY, page=PAGE.replace("Many outputs.", "Many outputs")), [6], [5], "full stop"),
        (replace(MANY, page=PAGE.replace("## Remedy\nSomething.\n", "## Remedy\n")), [6], [5], "nothing under"),
    ],
)
def test_a_rule_that_breaks_its_contract_is_told(rule: Rule, bad: list[int], good: list[int], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_rule(rule, bad=list(map(_facts, bad)), good=list(map(_facts, good)))


def test_a_rule_that_raises_is_told() -> None:
    def broken(task: TaskFacts) -> Iterator[Verdict]:
        raise KeyError(task.kind)
        yield

    with pytest.raises(AssertionError, match="many broke: KeyError"):
        check_rule(replace(MANY, judge=broken), bad=[_facts(6)], good=[_facts(5)])


def test_our_pages_meet_the_contract() -> None:
    from assay.rules import catalogue

    for rule in catalogue():
        check_page(rule)


@pytest.mark.parametrize("name", ["iris", "diabetes", "breast_cancer"])
def test_a_sound_source_meets_its_contract(name: str) -> None:
    check_dataset(lambda: read(name))


def test_a_source_that_draws_anew_is_told() -> None:
    rng = np.random.default_rng(0)

    def drawn() -> Dataset:
        return replace(read("iris"), x=rng.normal(size=(150, 4)))

    with pytest.raises(AssertionError, match="two fingerprints"):
        check_dataset(drawn)


def test_labels_that_start_at_one_are_told() -> None:
    with pytest.raises(AssertionError, match="outside"):
        check_dataset(lambda: replace(read("iris"), y=read("iris").y + 1))


def test_targets_of_another_type_are_told() -> None:
    with pytest.raises(AssertionError, match="int64 is needed"):
        check_dataset(lambda: replace(read("iris"), y=read("iris").y.astype(np.int32)))
