"""What judging accounts for: findings, suspicions, silences, failures, allowances, and causes over symptoms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from assay.errors import DefectError
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.rule import (
    ERROR,
    NOTE,
    WARNING,
    Finding,
    NotApplicable,
    NotChecked,
    Rule,
    Severity,
    Suspicion,
    Verdict,
    Where,
    judge,
    rule,
)


@dataclass(frozen=True, kw_only=True)
class Weather(Fact):
    rain: int


@dataclass(frozen=True, kw_only=True)
class Umbrellas(Fact):
    number: int


WET = FactSet.of(Weather(rain=3))


def found(summary: str, severity: Severity | None = None) -> Finding:
    return Finding(summary=summary, evidence={"rain": 3}, fix="stay in", severity=severity)


@rule(severity=ERROR)
def flooded(weather: Weather) -> Iterator[Verdict]:
    if weather.rain > 2:
        yield found("a flood")


@rule(severity=WARNING, implied_by=("flooded",))
def wet_feet(weather: Weather) -> Iterator[Verdict]:
    if weather.rain:
        yield found("wet feet")


@rule(severity=NOTE, implied_by=("wet-feet",))
def cold(weather: Weather) -> Iterator[Verdict]:
    if weather.rain:
        yield found("a cold")


@rule(severity=WARNING)
def no_umbrella(weather: Weather, umbrellas: Umbrellas | None) -> Iterator[Verdict]:
    if weather.rain and (umbrellas is None or umbrellas.number == 0):
        yield found("no umbrella")


@rule(severity=ERROR)
def doubtful(weather: Weather, umbrellas: Umbrellas | None) -> Iterator[Verdict]:
    if umbrellas is None:
        yield Suspicion(asks=Umbrellas, why="it rains")
    elif umbrellas.number < weather.rain:
        yield found("too few umbrellas")


def test_a_rule_is_named_by_its_function_and_needs_what_its_parameters_say() -> None:
    assert (no_umbrella.name, no_umbrella.severity) == ("no-umbrella", WARNING)
    assert [(need.kind, need.optional) for need in no_umbrella.needs] == [(Weather, False), (Umbrellas, True)]


def test_a_finding_carries_its_rule_and_the_severity_that_the_rule_states() -> None:
    (finding,) = judge([flooded], WET).findings
    assert (finding.rule, finding.severity) == ("flooded", ERROR)
    assert judge([flooded], WET).errors == (finding,)


def test_looking_and_finding_nothing_is_a_pass() -> None:
    judgement = judge([flooded], FactSet.of(Weather(rain=1)))
    assert judgement.passed == ("flooded",)
    assert judgement.findings == ()


@pytest.mark.parametrize(("absent", "where"), [
    ({}, "not_checked"),
    ({Weather: Absent("the window is shut")}, "not_checked"),
    ({Weather: Absent("there is no sky", applicable=False)}, "not_applicable"),
])
def test_a_missing_fact_is_never_a_pass(absent: dict[type[Fact], Absent], where: str) -> None:
    judgement = judge([flooded], FactSet.of(absent=absent))
    assert judgement.passed == ()
    reasons = getattr(judgement, where)
    assert reasons == {"flooded": absent[Weather].why if absent else "nothing was recorded that would show it"}


def test_an_optional_fact_is_used_if_present() -> None:
    assert judge([no_umbrella], WET).findings
    assert judge([no_umbrella], FactSet.of(Weather(rain=3), Umbrellas(number=1))).passed == ("no-umbrella",)


def test_a_suspicion_asks_and_is_not_checked_until_it_is_answered() -> None:
    judgement = judge([doubtful], WET)
    assert [doubt.asks for doubt in judgement.asked] == [Umbrellas]
    assert "it rains" in judgement.not_checked["doubtful"]
    assert judge([doubtful], WET.joined(FactSet.of(Umbrellas(number=1)))).findings
    assert judge([doubtful], WET.joined(FactSet.of(Umbrellas(number=5)))).passed == ("doubtful",)


@pytest.mark.parametrize(("verdict", "where"), [
    (NotChecked("fog"), "not_checked"), (NotApplicable("fog"), "not_applicable"),
])
def test_a_rule_may_say_that_it_could_not_look(verdict: Verdict, where: str) -> None:
    @rule(severity=NOTE)
    def foggy(weather: Weather) -> Iterator[Verdict]:
        yield verdict

    judgement = judge([_made(foggy, weather=Weather)], WET)
    assert getattr(judgement, where) == {"foggy": "fog"}
    assert judgement.passed == ()


def test_a_finding_outweighs_a_part_that_was_not_checked() -> None:
    @rule(severity=NOTE)
    def partly(weather: Weather) -> Iterator[Verdict]:
        yield NotChecked("fog")
        yield found("rain all the same")

    judgement = judge([_made(partly, weather=Weather)], WET)
    assert len(judgement.findings) == 1
    assert judgement.not_checked == {}


def test_a_rule_that_raises_is_broken_and_takes_no_other_with_it() -> None:
    @rule(severity=NOTE)
    def clumsy(weather: Weather) -> Iterator[Verdict]:
        yield found("something")
        raise ZeroDivisionError("oops")

    judgement = judge([_made(clumsy, weather=Weather), flooded], WET)
    assert judgement.broken == {"clumsy": "ZeroDivisionError: oops"}
    assert [finding.rule for finding in judgement.findings] == ["flooded"]


def test_a_finding_without_evidence_is_a_defect_that_breaks_the_rule_alone() -> None:
    @rule(severity=NOTE)
    def vague(weather: Weather) -> Iterator[Verdict]:
        yield Finding(summary="bad", evidence={}, fix="mend it")

    judgement = judge([_made(vague, weather=Weather), flooded], WET)
    assert "without evidence" in judgement.broken["vague"]
    assert [finding.rule for finding in judgement.findings] == ["flooded"]


def test_a_finding_louder_than_its_rule_states_is_a_defect() -> None:
    @rule(severity=NOTE)
    def shrill(weather: Weather) -> Iterator[Verdict]:
        yield found("bad", ERROR)

    judgement = judge([_made(shrill, weather=Weather)], WET)
    assert "states note but yielded error" in judgement.broken["shrill"]


def test_a_finding_may_be_quieter_than_its_rule_states() -> None:
    @rule(severity=ERROR)
    def mild(weather: Weather) -> Iterator[Verdict]:
        yield found("bad", NOTE)

    judgement = judge([_made(mild, weather=Weather)], WET)
    assert judgement.findings[0].severity is NOTE
    assert judgement.errors == ()


def test_a_cause_carries_its_symptoms_through_all_links() -> None:
    judgement = judge([cold, wet_feet, flooded], WET)
    (finding,) = judgement.findings
    assert finding.rule == "flooded"
    assert {symptom.rule for symptom in finding.explains} == {"wet-feet", "cold"}
    assert judgement.passed == ()


def test_a_quiet_cause_is_as_loud_as_its_loudest_symptom() -> None:
    @rule(severity=NOTE)
    def drizzle(weather: Weather) -> Iterator[Verdict]:
        yield found("drizzle")

    @rule(severity=ERROR, implied_by=("drizzle",))
    def rust(weather: Weather) -> Iterator[Verdict]:
        yield found("rust")

    judgement = judge([_made(drizzle, weather=Weather), _made(rust, weather=Weather)], WET)
    assert [finding.rule for finding in judgement.errors] == ["drizzle"]


def test_a_symptom_without_its_cause_stands_for_itself() -> None:
    judgement = judge([wet_feet, flooded], FactSet.of(Weather(rain=1)))
    assert [finding.rule for finding in judgement.findings] == ["wet-feet"]


def test_rules_that_imply_each_other_lose_no_finding() -> None:
    @rule(severity=NOTE, implied_by=("hen",))
    def egg(weather: Weather) -> Iterator[Verdict]:
        yield found("an egg")

    @rule(severity=NOTE, implied_by=("egg",))
    def hen(weather: Weather) -> Iterator[Verdict]:
        yield found("a hen")

    judgement = judge([_made(egg, weather=Weather), _made(hen, weather=Weather)], WET)
    told = {finding.rule for finding in judgement.findings}
    told |= {symptom.rule for finding in judgement.findings for symptom in finding.explains}
    assert told == {"egg", "hen"}


def test_what_is_allowed_is_set_aside_listed_and_explains_nothing() -> None:
    judgement = judge([wet_feet, flooded], WET, allow=["flooded", "no-umbrella"])
    assert [finding.rule for finding in judgement.findings] == ["wet-feet"]
    assert [finding.rule for finding in judgement.allowed] == ["flooded"]
    assert judgement.allowed_unused == ("no-umbrella",)


def test_findings_come_loudest_first() -> None:
    judgement = judge([no_umbrella, flooded], WET)
    assert [finding.severity for finding in judgement.findings] == [ERROR, WARNING]


def test_every_rule_is_accounted_for_once() -> None:
    rules = [flooded, wet_feet, cold, no_umbrella, doubtful]
    judgement = judge(rules, WET)
    silent = [*judgement.passed, *judgement.not_checked, *judgement.not_applicable, *judgement.broken]
    told = [each for finding in judgement.findings for each in (finding, *finding.explains)]
    assert sorted([*silent, *(finding.rule for finding in told)]) == sorted(each.name for each in rules)


def test_a_parameter_that_is_no_fact_is_a_defect() -> None:
    @rule(severity=NOTE)
    def greedy(number: int) -> Iterator[Verdict]:
        yield found("bad")

    with pytest.raises(DefectError, match="greedy takes number"):
        _ = greedy.needs
    assert "greedy" in judge([greedy], WET).broken


def test_where_points_at_a_line() -> None:
    assert Where(place=Place("train.py", 3)) == Where(place=Place("train.py", 3), module=None, step=None)


def _made(each: Rule, **hints: type[Fact]) -> Rule:
    """A rule defined inside a test: its hints are evaluated here, since typing looks only at the module."""
    each.judge.__annotations__.update(hints)
    return each
