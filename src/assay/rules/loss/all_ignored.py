"""No target of a batch counts: all of them are to be ignored.

## Why it hurts
The mean over no targets is NaN, the sum is 0: the batch teaches nothing, and NaN spoils every average it enters.

## What is looked at
Valid targets of cross_entropy and nll_loss at sampled steps. Where no batch has any it is an error; where some batches
have none it is a note, since their gradient is zero.

## Remedy
Check ignore_index against the labels, and what sets labels to it; leave batches without targets out.

## When it is wrong to worry
A rare micro-batch without targets does no harm as long as its NaN isn't averaged in.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, ignore_index.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTargetFacts
from assay.rule import ERROR, NOTE, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def all_ignored(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Count the batches of each line without a valid target."""
    by_line: dict[object, list[bool]] = {}
    for call in targets.calls:
        if call.labels and call.ignore_index is not None:
            by_line.setdefault(call.place, []).append(call.ignored == call.labels)
    if not by_line:
        yield NotApplicable("no loss was given class ids")
    for call in targets.calls:
        empty = by_line.pop(call.place, [])
        if any(empty):
            yield Finding(
                summary=f"{call.name} ignores every target" if all(empty)
                else f"{call.name} ignores every target of some batches",
                where=Where(place=call.place, step=call.step), severity=ERROR if all(empty) else NOTE,
                evidence={"batches": len(empty), "without_a_target": sum(empty), "ignore_index": call.ignore_index},
                impact="the mean over no targets is NaN, and nothing is learned from them",
                fix="check ignore_index against the labels",
            )
