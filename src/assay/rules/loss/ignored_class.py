"""ignore_index is the id of a true class, whose examples are left out of the loss.

## Why it hurts
The class is never learned, though the model has an output for it and the data have its labels.

## What is looked at
At sampled steps, losses whose input is what a model gave, one row of scores and one label an example, and whose
ignore_index is one of the classes. It counts where all other classes are met, and the ignored one about as often as
they: no more than one and a half times the most frequent, no less than two thirds of the rarest. What stands for
*unknown* or *void* is mostly much more, or much less, frequent than a class.

Of several labels an example, the same holds where the ignored ones lie among the others and not at the ends of rows, as
filler does, and where the program's own scores count them as right or wrong.

## Remedy
Leave ignore_index at -100, or set it to an id that is no class.

## When it is wrong to worry
Filler in sequences and void pixels are ignored rightly, and left out of scores.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, ignore_index.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTarget, LossTargetFacts
from assay.facts.score_inputs import ComparisonFacts, LibraryScoreFacts
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

ALIKE = 1.5

LABELS = 50
"""Labels below which the shares of classes are a matter of chance."""


@rule(severity=WARNING)
def ignored_class(
    targets: LossTargetFacts, comparisons: ComparisonFacts | None, scores: LibraryScoreFacts | None,
) -> Iterator[Verdict]:
    """Compare how often the ignored class and the others are met."""
    counted = any(
        each.known_by == "ignore_index" for facts in (comparisons, scores) if facts is not None for each in facts.padded
    )
    by_line: dict[object, list[LossTarget]] = {}
    for call in targets.calls:
        if call.ignored_share is not None and call.counts is not None and (call.single or (call.scattered and counted)):
            by_line.setdefault(call.place, []).append(call)
    if not by_line:
        yield NotApplicable("no loss ignores a class of one label an example, or of several that are scored")
    for calls in by_line.values():
        ignored, labels = sum(call.ignored for call in calls), sum(call.labels for call in calls)
        summed = [sum(each) for each in zip(*(call.counts or () for call in calls), strict=True)]
        others = [count for index, count in enumerate(summed) if index != calls[0].ignore_index]
        if labels >= LABELS and others and min(others) > 0 and min(others) / ALIKE <= ignored <= ALIKE * max(others):
            yield _finding(calls[0], ignored, summed)


def _finding(call: LossTarget, ignored: int, summed: list[int]) -> Finding:
    return Finding(
        summary=f"{call.name} ignores class {call.ignore_index}, which is as frequent as the others",
        where=Where(place=call.place, step=call.step),
        evidence={"ignore_index": call.ignore_index, "labels_ignored": ignored, "labels_of_each_class": summed},
        impact="this class is never learned", fix="leave ignore_index at -100, or set it to an id that is no class",
    )
