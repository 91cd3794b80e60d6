"""A term of the loss takes no part in training.

## Why it hurts
The term is computed at every step and looks as if it counted. It is overwritten by the next one, forgotten in the sum,
or was computed from outputs that had been cut off from the model, so that it has no gradient. The model trains on the
rest, and nothing tells.

## What is looked at
The calls of loss functions at the first five steps whose value no backward pass came past, and the program's own lines
around them: the name that holds the value is given another one before anything reads it; nothing reads it, but
expressions that are thrown away; or it is added to the loss although it has no graph, while one of its arguments shares
memory with a model's output that has one.

## Remedy
Add the term to what backward begins from, and compute it from outputs that were not detached.

## When it is wrong to worry
Terms made for the log are read by what logs them and stay silent, as do terms that a switch leaves out.

## References
PyTorch documentation, Autograd mechanics: only operations on tensors that require a gradient are recorded.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_terms import DroppedTerm, LossTerms
from assay.rule import WARNING, Finding, Verdict, Where, rule

WHAT = {
    "overwritten": "is overwritten before anything reads it",
    "unread": "is computed and never used",
    "constant": "is added to the loss, but was computed from detached outputs and has no gradient",
}
FIXES = {
    "overwritten": "add the terms up instead of assigning the second over the first",
    "unread": "add it to the loss that backward begins from, or leave it out",
    "constant": "compute it from the model's outputs without detach",
}


@rule(severity=WARNING)
def term_dropped(terms: LossTerms) -> Iterator[Verdict]:
    """Tell of each term that is lost."""
    for term in terms.dropped:
        yield _lost(term)


def _lost(term: DroppedTerm) -> Finding:
    place = term.line if term.how == "overwritten" else term.place
    return Finding(
        summary=f"{term.variable}, the value of {term.name}, {WHAT[term.how]}",
        where=Where(place=place),
        evidence={"computed_at_line": term.place.line, "lost_at_line": term.line.line, "sampled_steps": term.steps,
                  "met_by_backward": 0},
        impact="the model isn't trained on this term",
        fix=FIXES[term.how],
    )
