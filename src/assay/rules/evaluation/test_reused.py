"""The test set was opened more than once, or before the choices were made.

## Why it hurts
A test score is an estimate of the future only as long as no choice has been made by it. Whoever looks, changes
something and looks again chooses by the test set: its rows have become validation rows, and the score flatters.

## What is looked at
Every opening of these test rows that stands in the run's ledger or in the user's own list of openings, which knows
those of other runs too. Rows are recognised by their targets together with any input column, so that leaving out a
column doesn't hide an opening. One opening is what a test set is for; any before it is an error, and so is an opening
of this run that stands in one of the two places only: a ledger was cut, or a list was removed. No threshold.

## Remedy
Report the first score. For a new estimate set new rows aside. Where a second look can't be avoided, `assay test RUN
--again --why TEXT` opens again, and every report shows it.

## When it is wrong to worry
A second opening of the very same weights, to print a number that was lost: it chooses nothing, and saying so as the
reason is enough.

## References
Dwork et al., "The reusable holdout", Science 2015. Recht et al., "Do ImageNet classifiers generalize to ImageNet?",
ICML 2019. Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 7.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.seal import SealFacts
from assay.rule import ERROR, Evidence, Finding, Verdict, rule


@rule(severity=ERROR)
def test_reused(seal: SealFacts) -> Iterator[Verdict]:
    """Count the openings before the one that is asked for."""
    if not seal.earlier:
        return
    times = "once" if len(seal.earlier) == 1 else f"{len(seal.earlier)} times"
    early = sum(each.before_choices for each in seal.earlier)
    summary = f"the {seal.rows} test rows were opened {times} before"
    if early:
        summary += f", {'' if early == len(seal.earlier) else f'{early} of them '}while choices were still open"
    if seal.disagreeing:
        summary += "; the run's ledger and the user's list of openings disagree"
    evidence: Evidence = {"rows": seal.rows, "openings": [f"{each.at} by {each.run}" for each in seal.earlier]}
    reasons = [each.why for each in seal.earlier if each.why]
    if reasons:
        evidence["reasons"] = reasons
    if seal.disagreeing:
        evidence["in_ledger_only"] = [each.at for each in seal.disagreeing if each.in_ledger]
        evidence["in_list_only"] = [each.at for each in seal.disagreeing if not each.in_ledger]
    yield Finding(
        summary=summary, evidence=evidence,
        impact="a score on rows that choices have seen is too good by an amount that nobody can know",
        fix="report the first score; for a new estimate set new rows aside, or look again with --again --why TEXT, "
            "which every report shows",
    )
