"""Training ends long before the schedule that was planned for it.

## Why it hurts
A one-cycle schedule climbs to its largest rate and gains most of what it gains while the rate falls again. A run that
ends halfway is evaluated at a rate near the largest, where the weights still jump about; its score says little of what
the same run gives once it is finished. Mostly the number of steps was computed from another loader, batch size or
number of epochs than the loop has.

## What is looked at
OneCycleLR schedulers that were stepped once after (at least nine tenths of) their optimizer's steps: the steps that
they were made for, against those taken. Less than half is a finding, for by half of its steps a cycle of the default
form has only just left its peak. The program must have come to its own end (a model is evaluated after the last step),
and nothing in the text of the file that trains may end a loop early.

## Remedy
Compute total_steps from the loop itself: epochs * len(loader), divided by the steps of gradient accumulation.

## When it is wrong to worry
Early stopping, a budget of time, and a run that is ended from outside leave a schedule unfinished on purpose. All of
them are silent.

## References
Smith and Topin, "Super-convergence", 2018, section 4; PyTorch documentation, torch.optim.lr_scheduler.OneCycleLR.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.endings import EndingFacts
from assay.facts.schedule import ScheduleFacts, SchedulerRecord
from assay.rule import WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

HALF, EACH, FEWEST = 0.5, 0.9, 10


@rule(severity=WARNING)
def steps_missed(schedule: ScheduleFacts, ending: EndingFacts) -> Iterator[Verdict]:
    """Hold the steps taken against those planned."""
    planned = [each for each in schedule.schedulers if each.base == "OneCycleLR" and not each.part]
    if not planned:
        yield NotApplicable("no schedule says how many steps the whole training has")
        return
    if ending.may_stop or not ending.goes_on:
        yield NotChecked("training may have been ended early on purpose")
        return
    for each in planned:
        if each.horizon and FEWEST <= each.steps < HALF * each.horizon and each.every >= EACH * (each.steps - 1):
            yield _finding(each, each.horizon)


def _finding(each: SchedulerRecord, horizon: int) -> Finding:
    rate = each.optimizer
    evidence: dict[str, object] = {"planned": horizon, "taken": each.steps}
    if rate is not None:
        evidence |= {"last_rate": rate.last, "largest_rate": rate.peak}
    return Finding(
        summary=f"the schedule was made for {horizon} steps, and training ends after {each.steps}",
        where=Where(place=each.place), evidence=evidence,
        impact="the rate never falls as it was planned to, and the last weights are those of a large rate",
        fix="compute total_steps from the loop: epochs * len(loader)",
    )
