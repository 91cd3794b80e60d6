"""The learning rate is zero or negative for most of the run.

## Why it hurts
A step with a rate of zero does nothing, one with a negative rate climbs the loss. Neither fails: the loss just stays,
or rises.

## What is looked at
The rate at every step, the largest of the optimizer's groups. It counts where at least half of the steps, and ten of
them at least, were taken with a rate of zero or below: a warm-up begins with one such step, a decay ends with a few.

## Remedy
Look at the schedule: one that multiplies a first rate of zero, or that was made for fewer steps than it is given.

## When it is wrong to worry
A warm-up's first step, the last steps of a decay, and single groups that are held at zero are silent. So are runs of
fewer than ten such steps.

## References
PyTorch documentation, torch.optim.lr_scheduler.LambdaLR: the function's value is multiplied with the initial rate.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.schedule import ScheduleFacts
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

STEPS = 10
SHARE = 0.5


@rule(severity=WARNING, implied_by=("scheduler-cadence",))
def rate_zero(schedule: ScheduleFacts) -> Iterator[Verdict]:
    """Count the steps without a positive rate."""
    if not any(rate.steps for rate in schedule.rates):
        yield NotChecked("no optimizer took a step with a known rate")
    for rate in schedule.rates:
        if rate.zero >= STEPS and rate.zero >= SHARE * rate.steps:
            scheduler = next((each for each in schedule.schedulers if each.optimizer == rate and each.steps), None)
            what = "negative" if rate.negative > SHARE * rate.zero else "zero"
            yield Finding(
                summary=f"the rate of {rate.kind} is {what} at {rate.zero} of {rate.steps} steps",
                where=Where(place=(scheduler and (scheduler.step_place or scheduler.place)) or rate.place
                            or rate.step_place),
                evidence={"steps": rate.steps, "zero": rate.zero, "negative": rate.negative,
                          "first_rate": rate.start, "peak_rate": rate.peak, "last_rate": rate.last},
                impact="these steps climb the loss" if what == "negative" else "these steps change nothing",
                fix="give the optimizer a positive rate, and the schedule as many steps as it will take",
            )
