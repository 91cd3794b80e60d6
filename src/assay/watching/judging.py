"""How a watch judges: which rules apply to a watched program, and how loud their findings are there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.overfit import OverfitFacts
from assay.facts.randomness import TorchRandomness
from assay.rule import Finding, Judgement, Rule, Severity, judge
from assay.rules import catalogue
from assay.watching.allowances import on_lines

ADVICE = frozenset({"curve"})
STANDS = frozenset({"diverged", "plateau-at-floor"})
OUT_OF_SIGHT = frozenset({"comparison", "record"})
IN_SIGHT = frozenset({"unseeded"})
OF_DATA = frozenset({"data", "evaluation", "graph", "loader"})

UNSEEN = "watching a program doesn't show what this needs; `assay run` does"

UNASKED = "`assay watch --overfit` shows it"

BEFORE = "the watch began within the program, and whether it was seeded before isn't known"


def judged(
    facts: FactSet, *, broken: Mapping[str, str] = MappingProxyType({}), allow: Collection[str] = (),
    files: Collection[Path] = (), held: bool = False, from_start: bool = True,
) -> Judgement:
    """Judge the facts of a watched program.

    Rules on comparisons and records don't apply to it (`unseeded` does). What rules on curves find is advice, so it is
    a note, unless the run exploded or stalled at a known floor.

    broken      probes that failed, and how
    allow       names of rules whose findings are set aside; so are those whose line carries `# assay: allow RULE`
    files       the program's own files, in which such comments that set nothing aside are listed
    held        it was held on one batch, so that nothing can be said of its data and how they come
    from_start  it was watched from its start, so that a seed that was set is known
    """
    if not from_start:
        facts = FactSet({kind: fact for kind, fact in facts.records.items() if kind is not TorchRandomness},
                        {**facts.absent, TorchRandomness: Absent(BEFORE)})
    hidden = OUT_OF_SIGHT | OF_DATA if held else OUT_OF_SIGHT
    rules = [each for each in catalogue() if each.family not in hidden or (each.name in IN_SIGHT and not held)]
    judgement = on_lines(judge(rules, _with_reasons(facts, rules), allow=allow), files=files)
    return replace(
        judgement, findings=tuple(map(_quieter, judgement.findings)), broken={**judgement.broken, **broken},
    )


def _with_reasons(facts: FactSet, rules: Collection[Rule]) -> FactSet:
    """The facts, and a plain reason for the kinds that no probe records."""
    unseen = {need.kind: Absent(UNSEEN) for each in rules for need in each.needs}
    return FactSet(facts.records, {**unseen, OverfitFacts: Absent(UNASKED), **facts.absent})


def _quieter(finding: Finding) -> Finding:
    if finding.family in ADVICE and finding.rule not in STANDS:
        return replace(finding, severity=Severity.NOTE)
    return finding
