"""A backward pass that was written by hand disagrees with its own forward.

## Why it hurts
Training follows the slope that backward returns. A wrong factor, a missing term or a slipped sign still gives numbers
of a sensible size: the loss may even fall, to a worse place.

## What is looked at
Each torch.autograd.Function of the program, at its first call, with copies of its inputs in double precision. Entries
of its inputs are moved by 1e-6 either way, and the slope of a fixed random sum of its outputs is compared with what
backward returns. Slopes agree to a thousandth and 1e-5, as torch.autograd.gradcheck has them. Left out are entries
where the forward is flat (a rounding, a threshold) or has a kink, and functions whose forward gives its input back:
there backward can only be meant to say something else.

## Remedy
Derive backward again, term by term; `torch.autograd.gradcheck(function.apply, inputs)`, in double precision, tells when
it is right.

## When it is wrong to worry
A gradient that is meant to differ from the slope: straight-through estimators, surrogate gradients, reversed, scaled or
clipped gradients.

## References
PyTorch documentation, torch.autograd.gradcheck. Bengio, Léonard and Courville, 2013, on straight-through estimators.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.gradients import WrittenBackward, WrittenBackwards
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, Where, rule

MEANT = 0.5
"""Share of moved entries that are flat: from here on the function is a threshold with a slope that was made for it."""


@rule(severity=ERROR)
def wrong_gradient(backwards: WrittenBackwards) -> Iterator[Verdict]:
    """Look at each function; one that could not be compared is told if there is nothing else to tell."""
    for each in backwards.functions:
        if each.differing and not each.identity:
            yield _finding(each, meant=each.flat >= MEANT * each.entries)
    unknown = next((each for each in backwards.functions if each.why), None)
    if unknown is not None:
        yield NotChecked(f"{unknown.name}: {unknown.why}")


def _finding(each: WrittenBackward, *, meant: bool) -> Finding:
    return Finding(
        summary=f"the backward of {each.name} says {each.written:.4g} where the slope of its forward is "
                f"{each.measured:.4g}",
        severity=NOTE if meant else ERROR,
        where=Where(place=each.place),
        evidence={"entries_moved": each.entries, "differing": each.differing, "flat": each.flat,
                  "written": each.written, "measured": each.measured},
        impact="everything below it is trained along another slope than the loss's",
        fix="derive backward again; torch.autograd.gradcheck in double precision tells when it is right",
    )
