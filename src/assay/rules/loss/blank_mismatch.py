"""A CTC loss's blank is one of the symbols that it is to write.

## Why it hurts
The blank separates and fills, and is dropped when the output is read. A symbol with the same id can never be written:
the model learns nothing for it, and its texts lack it.

## What is looked at
The ids of the targets of ctc_loss within their lengths, at sampled steps, against its blank.

## Remedy
Number symbols so that the blank is free (from 1, with blank 0), or pass the id that is free as blank.

## When it is wrong to worry
Filler behind the ends of texts may have the blank's id: it lies beyond their lengths and isn't looked at.

## References
Graves et al. (2006), Connectionist Temporal Classification; PyTorch documentation, torch.nn.CTCLoss: targets can't
be blank.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTargetFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def blank_mismatch(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Look for blanks among the targets."""
    calls = [call for call in targets.calls if call.blanks is not None]
    if not calls:
        yield NotApplicable("no CTC loss was called")
    found = next((call for call in calls if call.blanks), None)
    if found is not None:
        yield Finding(
            summary="ctc_loss is given its own blank as a symbol to write",
            where=Where(place=found.place, step=found.step),
            evidence={"blanks_among_targets": found.blanks}, impact="that symbol can never be written",
            fix="number the symbols from 1 and keep 0 for the blank, or pass a free id as blank",
        )
