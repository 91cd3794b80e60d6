"""Facts about micro-batches: the backward passes between two steps, how their losses are scaled, what is cleared."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The backward passes between two optimizer steps, the second of which is this optimizer's.

    optimizer       its number, in the order of their first steps, and `kind` its class's name
    step            optimizer steps taken before
    passes          backward passes
    place           the line that began all of them, None where there are several such lines
    step_place      the line that steps
    forward         passes of modules between the two steps
    forward_tensors the most tensors that such a pass was given: a recurrent state makes two
    unscaled        backward passes whose loss, as a loss function or a mean gave it, was neither multiplied nor divided
    rows            the fewest targets that a loss function was given, None where a loss was written by hand
    losses          lines that call a loss function
    cleared         backward passes before which the gradients had been cleared
    ratio           how long the gradient that was stepped with is against what the last backward pass had left; None
                    where it is another gradient, or isn't known
    guarded         whether the step stands under a condition that the backward pass doesn't stand under, such as
                    `if i % 4 == 3`
    rate_divided    the file of the step gives a rate as a quotient, which may make up for losses that are summed
    """

    optimizer: int
    kind: str
    step: int
    passes: int
    place: Place | None
    step_place: Place | None
    forward: int
    forward_tensors: int
    unscaled: int
    rows: int | None
    losses: int
    cleared: int
    ratio: float | None
    guarded: bool
    rate_divided: bool


@dataclass(frozen=True, kw_only=True)
class AccumulationFacts(Fact):
    """The sampled intervals between steps that hold backward passes, in order.

    Left out are those in which torch.autograd.grad was called or a closure ran within the step.
    """

    intervals: tuple[Interval, ...]
    schedule: Schedule
