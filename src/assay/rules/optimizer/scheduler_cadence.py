"""A scheduler is stepped per batch but was written for epochs, or the reverse; or never; or before its optimizer.

## Why it hurts
A schedule counts its own steps and nothing else. Written for epochs and stepped after each batch it is through within
the first epoch, and most of the training runs at a rate of almost nothing (or, for a cosine, at one that swings up and
down). Written for batches and stepped once an epoch it never leaves its warm-up. A scheduler that nobody steps does
nothing.

## What is looked at
How often the scheduler was stepped against the steps of its optimizer and the rounds of the program (passes over a
DataLoader, else evaluations), what it was made for (T_max, total_steps, step_size, milestones), and the rate itself.

- Too fast: stepped after (at least nine tenths of) single optimizer steps, of which a round has three or more, and one
  of: the rate was below a thousandth of its peak for at least half of the run; below a tenth for nine tenths of it; or
  the schedule was made for no more steps than there are rounds, and the rate ended below a hundredth of its peak and
  was below a tenth for half of the run, or a cosine has swung through two half-periods. A planned decay reaches such
  rates at its end, not at its beginning: ten to a hundredth is what step schedules take in all (He et al., 2016).
- Too slow: at least three optimizer steps to each of its own, and it was made for exactly as many steps as the
  optimizer took (within 2 %); or the rate was still rising at the end, after five steps or more, and had never passed
  a fifth of the rate that the optimizer was made with.
- Never: its optimizer took 20 steps in three rounds or more (100 where there are no rounds), and it took none.
- Before the optimizer: its first step came before the optimizer's first, at the line of all later ones.

## Remedy
Step the scheduler where its numbers are meant: after the epoch for epochs, after optimizer.step() for steps.

## When it is wrong to worry
Schedules in steps, stepped per batch (one cycle, warm restarts, a cosine over all steps), are silent, as are runs that
were stopped early, parts of a sequential scheduler, averaging schedules that begin late, and programs whose epoch is a
single step. A gradient scaler may skip the optimizer's first steps, so then the order isn't judged.

## References
PyTorch documentation, torch.optim, How to adjust learning rate; PyTorch issue 65417: a warm-up that never ends.
He et al., Deep Residual Learning, 2016, section 3.4: two divisions by ten.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.schedule import RateRecord, ScheduleFacts, SchedulerRecord
from assay.rule import WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

DECAYING = frozenset({
    "ConstantLR", "ExponentialLR", "LambdaLR", "LinearLR", "LRScheduler", "MultiplicativeLR", "MultiStepLR",
    "PolynomialLR", "SequentialLR", "StepLR",
})
STEPS, UNROUNDED, ROUNDS = 20, 100, 3
A_ROUND = 3
SLOW = 3
WARMING, STILL = 5, 0.2


@rule(severity=WARNING)
def scheduler_cadence(schedule: ScheduleFacts) -> Iterator[Verdict]:
    """Compare each scheduler's steps with its optimizer's."""
    if not schedule.schedulers:
        yield NotApplicable("no scheduler was made")
    for each in schedule.schedulers:
        rate = each.optimizer
        if rate is None:
            yield NotChecked(f"the optimizer of {each.kind} took no step")
        elif why := _too_fast(each, rate, schedule.rounds):
            yield _finding(each, rate, schedule, f"{each.kind} is stepped after every batch: {why}",
                           "step it once per epoch, or give it its numbers in batches")
        elif why := _too_slow(each, rate):
            yield _finding(each, rate, schedule, f"{each.kind} is stepped once in many batches: {why}",
                           "step it after each optimizer.step(), or give it its numbers in epochs")
        elif _never(each, schedule.rounds):
            yield _finding(each, rate, schedule, f"{each.kind} was made and is never stepped",
                           "call its step(), after each epoch or each batch as its numbers are meant")
        elif each.early and not each.part and not schedule.scaled and each.base != "ReduceLROnPlateau":
            yield _finding(each, rate, schedule, f"{each.kind} is stepped before its optimizer's first step",
                           "call scheduler.step() after optimizer.step(): the first rate of the schedule is skipped")


def _too_fast(each: SchedulerRecord, rate: RateRecord, rounds: int | None) -> str | None:
    """What becomes of the rate, where the scheduler runs far ahead of the rounds it was written for."""
    if rate.peak <= 0 or each.steps < STEPS or each.every < 0.9 * (each.steps - 1):
        return None
    if rounds is not None and rate.steps < A_ROUND * rounds:
        return None
    meant = rounds is not None and rounds >= 2 and each.horizon is not None and each.horizon <= rounds + 1
    if each.base == "CosineAnnealingLR" and meant and each.horizon is not None and each.steps >= 2 * each.horizon:
        return f"its cosine over {each.horizon} steps has swung up and down {each.steps // (2 * each.horizon)} times"
    if each.base not in DECAYING or each.part:
        return None
    if rate.alive <= 0.5 * rate.steps:
        return f"the rate is below a thousandth of its peak from step {rate.alive} of {rate.steps}"
    early = rounds is not None and rounds >= 2 and rate.lively <= 0.1 * rate.steps
    if early or (meant and rate.lively <= 0.5 * rate.steps and rate.last <= 0.01 * rate.peak):
        return f"the rate is below a tenth of its peak from step {rate.lively} of {rate.steps}"
    return None


def _too_slow(each: SchedulerRecord, rate: RateRecord) -> str | None:
    """What it hasn't come to, where it was made for the optimizer's steps."""
    if each.part or not each.steps or each.waited < SLOW * each.steps:
        return None
    far = each.horizon is not None and each.horizon >= SLOW * each.steps
    if far and each.horizon is not None and abs(each.horizon - each.waited) <= max(1.0, 0.02 * each.waited):
        return f"it was made for {each.horizon} steps, as many as the optimizer took, and took {each.steps}"
    rising = rate.last >= rate.peak and rate.start < rate.last
    if rising and each.steps >= WARMING and 0 < rate.peak <= STILL * each.target:
        return f"its warm-up has come to {rate.peak:.3g} of {each.target:.3g} by the end"
    return None


def _never(each: SchedulerRecord, rounds: int | None) -> bool:
    if each.steps or each.part or each.base == "SWALR":
        return False
    if rounds is None:
        return each.waited >= UNROUNDED
    return each.waited >= STEPS and rounds >= ROUNDS


def _finding(each: SchedulerRecord, rate: RateRecord, schedule: ScheduleFacts, summary: str, fix: str) -> Finding:
    return Finding(
        summary=summary, where=Where(place=each.step_place or each.place),
        evidence={
            "scheduler_steps": each.steps, "optimizer_steps": rate.steps, "rounds": schedule.rounds,
            "made_for": each.horizon, "first_rate": rate.start, "peak_rate": rate.peak, "last_rate": rate.last,
        },
        fix=fix,
    )
