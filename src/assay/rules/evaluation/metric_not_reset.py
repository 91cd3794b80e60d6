"""A metric object still holds the evaluations before.

## Why it hurts
An object of torchmetrics gathers until it is emptied. Without `reset()` the score of each epoch is a mean over all
epochs so far: it trails behind, hides a sudden fall, and makes the last model look worse, or better, than it is.

## What is looked at
Updates and computations by the program's own code. An evaluation is two updates or more with no optimizer step between,
and then a computation. A second one, after further steps, of an object that nobody has emptied since the first, holds
both.

## Remedy
Call `metric.reset()` after each computation, or make the object anew.

## When it is wrong to worry
Objects that are logged by Lightning are emptied by it. Running means, sums, scores that are updated while training goes
on, and one update per step are taken as meant.

## References
torchmetrics documentation, Overview: reset internal states between evaluations.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.metric_states import MetricStates
from assay.rule import ERROR, Finding, Verdict, Where, rule


@rule(severity=ERROR)
def metric_not_reset(states: MetricStates) -> Iterator[Verdict]:
    """Count the evaluations that began with what the one before had left."""
    for each in states.metrics:
        if each.carried:
            yield Finding(
                summary=f"{each.kind} is never emptied: {each.carried} evaluations hold those before them as well",
                where=Where(place=each.place),
                evidence={"evaluations_after_the_first": each.computed, "carried_over": each.carried},
                impact="each epoch's score is one over all epochs so far",
                fix="call reset() on the metric after computing it",
            )
