"""A rule judges facts and yields findings; `judge` runs rules and accounts for every silence.

A rule is a function whose parameters' types are the facts it needs (`X | None`: used if present):

    @rule(severity=WARNING)
    def decay_on_norms(optimizers: OptimizerFacts) -> Iterator[Verdict]: ...

Its name is its path: rules/optimizer/decay_on_norms.py holds `decay-on-norms` of the family optimizer. The module's
docstring is its page.
"""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assay.errors import DefectError
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet


class Severity(enum.StrEnum):
    """How much a finding says: an error stops a gate, a warning doesn't, a note is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for errors, 1 for warnings, 2 for notes."""
        return list(Severity).index(self)


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

Evidence = dict[str, object]
"""What was seen, by name: plain values that JSON can hold."""


@dataclass(frozen=True, kw_only=True)
class Where:
    """Where a finding points: a line of the user's code, a module or parameter, an optimizer step from 0."""

    place: Place | None = None
    module: str | None = None
    step: int | None = None


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong, with its evidence and its remedy.

    `rule`, `family` and (unless the rule says less) `severity` are filled in by `judge`.
    """

    summary: str
    evidence: Evidence
    fix: str
    where: Where | None = None
    impact: str | None = None
    severity: Severity | None = None
    rule: str = ""
    family: str = ""
    explains: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Suspicion:
    """A rule's request: run this intervention (a kind of fact), then judge again with its answer."""

    asks: type[Fact]
    why: str


@dataclass(frozen=True)
class NotChecked:
    """A rule could not look, and why."""

    why: str


@dataclass(frozen=True)
class NotApplicable:
    """The program has nothing that this rule could be about."""

    why: str


Verdict = Finding | Suspicion | NotChecked | NotApplicable
Judge = Callable[..., Iterator[Verdict]]


@dataclass(frozen=True)
class Need:
    """One parameter of a rule: the fact it asks for, and whether it can do without."""

    parameter: str
    kind: type[Fact]
    optional: bool


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule as the catalogue holds it; `severity` is the highest that its findings may carry."""

    name: str
    family: str
    severity: Severity
    judge: Judge
    implied_by: tuple[str, ...]
    page: str

    @property
    def needs(self) -> tuple[Need, ...]:
        """What the parameters ask for, read from their annotations.

        Raises DefectError where a parameter isn't annotated with a kind of fact.
        """
        hints = typing.get_type_hints(self.judge)
        names = [name for name in hints if name != "return"]
        return tuple(_need(self.name, name, hints[name]) for name in names)

    @property
    def title(self) -> str:
        """The first line of its page."""
        return self.page.strip().splitlines()[0]


def _need(rule_name: str, parameter: str, hint: object) -> Need:
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    kinds = [option for option in options if option is not type(None)]
    if len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], Fact):
        return Need(parameter, kinds[0], optional=len(options) == 2)
    raise DefectError(f"Rule {rule_name} takes {parameter}: {hint}, which is no kind of fact.")


def rule(*, severity: Severity, implied_by: Sequence[str] = ()) -> Callable[[Judge], Rule]:
    """Make a rule of a function; name, family and page come from the module that holds it.

    severity        the highest that its findings carry
    implied_by      rules whose finding explains this one, which is then folded under theirs
    """

    def made(judge: Judge) -> Rule:
        module = judge.__module__.split(".")
        page = sys.modules[judge.__module__].__doc__ or ""
        family = module[-2] if len(module) > 1 else ""
        return Rule(
            name=judge.__name__.replace("_", "-"), family=family, severity=severity, judge=judge,
            implied_by=tuple(implied_by), page=page,
        )

    return made


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What judging came to. Every rule stands in exactly one of the lists, or has findings."""

    findings: tuple[Finding, ...] = ()
    passed: tuple[str, ...] = ()
    not_checked: dict[str, str] = field(default_factory=dict)
    not_applicable: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    asked: tuple[Suspicion, ...] = ()
    allowed: tuple[Finding, ...] = ()
    allowed_unused: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings at error: what stops a gate."""
        return tuple(finding for finding in self.findings if finding.severity is ERROR)


def judge(rules: Iterable[Rule], facts: FactSet, *, allow: Collection[str] = ()) -> Judgement:
    """Judge the facts by every rule.

    allow   names of rules whose findings are set aside; they are listed, and so are names that set nothing aside
    """
    found: dict[str, list[Finding]] = {}
    passed: list[str] = []
    reasons: dict[type, dict[str, str]] = {NotChecked: {}, NotApplicable: {}}
    broken: dict[str, str] = {}
    asked: list[Suspicion] = []
    catalogue = {each.name: each for each in rules}
    for each in catalogue.values():
        try:
            verdicts = list(_verdicts(each, facts))
            findings = [_completed(verdict, each) for verdict in verdicts if isinstance(verdict, Finding)]
        except Exception as fault:  # noqa: BLE001  # a broken rule must not take the program or the other rules with it
            broken[each.name] = f"{type(fault).__name__}: {fault}"
            continue
        doubts = [verdict for verdict in verdicts if isinstance(verdict, Suspicion)]
        silent = [verdict for verdict in verdicts if isinstance(verdict, NotChecked | NotApplicable)]
        asked += doubts
        if findings:
            found[each.name] = findings
        elif doubts:
            reasons[NotChecked][each.name] = f"suspected ({doubts[0].why}), not yet confirmed"
        elif silent:
            reasons[type(silent[0])][each.name] = silent[0].why
        else:
            passed.append(each.name)
    aside = [finding for name in found if name in allow for finding in found[name]]
    kept = {name: findings for name, findings in found.items() if name not in allow}
    return Judgement(
        findings=tuple(_fold(kept, catalogue)), passed=tuple(passed), not_checked=reasons[NotChecked],
        not_applicable=reasons[NotApplicable], broken=broken, asked=tuple(asked), allowed=tuple(aside),
        allowed_unused=tuple(name for name in allow if name not in found),
    )


def _verdicts(each: Rule, facts: FactSet) -> Iterator[Verdict]:
    arguments: dict[str, Fact | None] = {}
    for need in each.needs:
        record = facts.find(need.kind)
        if isinstance(record, Fact):
            arguments[need.parameter] = record
        elif need.optional:
            arguments[need.parameter] = None
        else:
            yield _missing(record)
            return
    yield from each.judge(**arguments)


def _missing(absent: Absent) -> NotChecked | NotApplicable:
    return NotChecked(absent.why) if absent.applicable else NotApplicable(absent.why)


def _completed(finding: Finding, each: Rule) -> Finding:
    if not finding.evidence:
        raise DefectError(f"rule {each.name} yielded a finding without evidence")
    severity = finding.severity or each.severity
    if severity.rank < each.severity.rank:
        raise DefectError(f"rule {each.name} states {each.severity} but yielded {severity}")
    return replace(finding, rule=each.name, family=each.family, severity=severity)


def _fold(found: dict[str, list[Finding]], catalogue: dict[str, Rule]) -> Iterator[Finding]:
    """Causes first by severity, each with the symptoms that it explains."""
    outermost = {name: _cause(name, found, catalogue) for name in found}
    # rules that imply each other in a circle explain nothing: each then stands for itself
    causes = {name: cause if cause and outermost[cause] is None else None for name, cause in outermost.items()}
    kept: list[Finding] = []
    for name, findings in found.items():
        if causes[name] is not None:
            continue
        symptoms = [finding for other, cause in causes.items() if cause == name for finding in found[other]]
        first = replace(findings[0], explains=tuple(symptoms))
        worst = min([first.severity, *(symptom.severity for symptom in symptoms)], key=lambda s: s.rank if s else 9)
        kept += [replace(first, severity=worst), *findings[1:]]
    return iter(sorted(kept, key=lambda finding: finding.severity.rank if finding.severity else 9))


def _cause(name: str, found: dict[str, list[Finding]], catalogue: dict[str, Rule]) -> str | None:
    """The outermost finding that explains this one, or None where it stands for itself."""
    seen = {name}
    current = name
    while True:
        causes = [cause for cause in catalogue[current].implied_by if cause in found and cause not in seen]
        if not causes:
            return None if current == name else current
        current = causes[0]
        seen.add(current)
