"""A regression target piles up at a limit: values beyond it were cut off.

## Why it hurts
Rows at the limit say "at least this much" and are learned as "exactly this much": the model is pulled down where it
matters most, and its error there can't be known. In the California housing table 965 of 20,640 districts cost 500,001,
which stands for everything above half a million.

## What is looked at
The rows that hold exactly the largest or the smallest value: at least ten, one per cent of all, and five times as many
as hold any of the twenty values next to it (a density that merely ends doesn't jump; for Poisson counts a factor of
five over several rows is beyond chance). Targets with fewer than 30 distinct values are scales.

## Remedy
Find where the values were cut and get the full ones; or leave the rows at the limit out and say so; or model them as
censored (a Tobit loss).

## When it is wrong to worry
Counts end where they must (days in a month, goals, 0): whole numbers from 0 or 1 on that leave few gaps stay silent,
and so does a pile at 0, which is where amounts begin. Shares and percentages that pile up at 1 or 100 are a note.

## References
Tobin, "Estimation of relationships for limited dependent variables", Econometrica 26, 1958.
Géron, Hands-On Machine Learning, chapter 2, on the capped values of the California housing table.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.target_ends import TargetEnd, TargetEndFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, rule

FEWEST, SHARE = 10, 0.01  # rows at the limit
JUMP = 5.0  # times the neighbours
SCALE = 30  # distinct values
WHOLE = (1.0, 100.0)  # where shares and percentages end


@rule(severity=WARNING)
def target_capped(target: TargetEndFacts) -> Iterator[Verdict]:
    """Judge both ends."""
    if target.counts or target.distinct < SCALE:
        return
    smallest = target.ends[1].value
    for end in target.ends:
        if end.count >= max(FEWEST, SHARE * target.rows) and end.count >= JUMP * end.neighbours and end.value != 0:
            yield _finding(target, end, share_like=end.side == "largest" and end.value in WHOLE and smallest >= 0)


def _finding(target: TargetEndFacts, end: TargetEnd, *, share_like: bool) -> Finding:
    beyond = "above" if end.side == "largest" else "below"
    return Finding(
        summary=f"{end.count} of {target.rows} targets stand at the {end.side} value, {end.value:g}, and at most "
                f"{end.neighbours} at any value next to it: what lay {beyond} was cut off",
        severity=NOTE if share_like else WARNING,
        evidence={"value": end.value, "rows": end.count, "share": end.share, "next_to_it": end.neighbours,
                  "distinct": target.distinct},
        impact=f"{end.share:.1%} of the targets are bounds, and are learned as values",
        fix="get the values that were cut, leave these rows out, or model them as censored",
    )
