"""A resumed run differs from one that was never interrupted.

## Why it hurts
After every interruption the run goes on as another one: with an optimizer that has forgotten its moments, a schedule
that starts anew, or examples in another order. Scores of long runs then depend on when machines failed.

## What is looked at
A short run that was saved, loaded in new objects and continued, against one that went straight on: weights, optimizer
state and logged values, bit for bit. There is no tolerance, since the same operations on the same numbers give the
same bits on one device.

## Remedy
Save and restore the optimizer, the schedule, every random state and the position in the data, not the weights alone.

## When it is wrong to worry
Operations that are not deterministic (some on GPUs) differ without any interruption: ask for deterministic ones
first, then compare.

## References
PyTorch documentation, "Reproducibility"; PyTorch Lightning, issue 17543, on resumed runs that differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.training import ResumeFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule


@rule(severity=ERROR)
def resume_differs(resume: ResumeFacts) -> Iterator[Verdict]:
    """Look for anything that differs."""
    if resume.compared == 0:
        yield NotChecked("nothing was compared between the resumed run and the one that went straight on")
        return
    if resume.differing:
        name, difference = max(resume.differing, key=lambda pair: abs(pair[1]))
        yield Finding(
            summary=f"a resumed run differs from one that went straight on in {len(resume.differing)} of "
                    f"{resume.compared} values compared, most in {name}, by {difference:.3g}",
            evidence={"differing": dict(resume.differing[:20]), "compared": resume.compared, "epochs": resume.epochs},
            impact="the result depends on when the run was interrupted",
            fix="save and restore the optimizer, the schedule, random states and the position in the data",
        )
