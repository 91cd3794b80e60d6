"""Training goes on from a checkpoint without its optimizer or scheduler.

## Why it hurts
Adam's moments and a momentum take hundreds of steps to build, and the first steps without them are large and blind. A
schedule that begins anew trains nearly finished weights at the first epoch's rate. The loss jumps when the run resumes,
and often ends higher than it would have.

## What is looked at
Checkpoints that the program's own code reads. Its weights were loaded whole, and the optimizer that trains them next
has no state. It is an error if the checkpoint holds the state of an optimizer with the same groups, rate and decay,
which nobody loaded; or if it holds the state of a scheduler, and a new one stands at its beginning. Where the
checkpoint holds no optimizer at all, but the text begins its loop at the checkpoint's epoch, it is a warning.

## Remedy
Save and load the state of optimizer and scheduler (and the scaler, and the generators) beside the weights.

## When it is wrong to worry
Loading weights to evaluate them, to fine-tune them with other settings, to go back to the best epoch with the same
optimizer, or a part of them into another model. Plain SGD has no state to lose.

## References
PyTorch tutorial, Saving and Loading a General Checkpoint. The fault as reported: OneVision-Encoder pull request 65.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.resumes import ReloadFacts, ResumeRecord
from assay.rule import ERROR, WARNING, Finding, Severity, Verdict, Where, rule


@rule(severity=ERROR)
def state_lost(resumes: ReloadFacts) -> Iterator[Verdict]:
    """Hold what each checkpoint held against what training went on with."""
    for each in resumes.resumes:
        resumes_it = each.continues or each.counts_on or each.restored
        lost = [*(["the optimizer's state"] if each.held and each.continues else []),
                *(["the scheduler's state"] if each.scheduler_at and resumes_it else [])]
        if lost:
            yield _finding(each, f"without {' and '.join(lost)}, which the checkpoint holds")
        elif each.counts_on and not each.held and not each.restored and "optim" not in "".join(each.entries).casefold():
            yield _finding(each, "with a fresh optimizer: the checkpoint holds none", WARNING)


def _finding(each: ResumeRecord, how: str, severity: Severity = ERROR) -> Finding:
    return Finding(
        summary=f"training goes on from a checkpoint {how}",
        where=Where(place=each.place), severity=severity,
        evidence={"checkpoint": list(each.entries), "optimizer": each.optimizer, "steps_of_the_lost": each.held_steps,
                  "scheduler_had_come_to": each.scheduler_at, "rate_of_the_first_step": each.rate},
        impact="the loss jumps, and the schedule no longer fits" if each.scheduler_at
               else "the first steps are taken without the moments of all steps before",
        fix="load the optimizer's and the scheduler's state_dict beside the weights" if each.held
            else "save the optimizer's and the scheduler's state_dict beside the weights, and load them",
    )
