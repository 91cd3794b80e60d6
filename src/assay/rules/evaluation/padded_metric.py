"""Padded or ignored positions count in a score.

## Why it hurts
Positions behind the ends of sequences, or of a class that the loss leaves out, are no examples. Where the model is
right there by habit, accuracy looks better the shorter the sequences are; where it can't be right (a label of -100), it
looks worse. Either way the score moves with the padding of the batch, and can't be compared with anybody's number.

## What is looked at
Comparisons of predictions with labels, and calls of metrics, whose predictions are known to be made of the model's
latest output. Positions count as padding where the label is the ignore_index of a loss that met it, or where the
model's input is filled with what an embedding takes for padding or pad_sequence fills with, and the labels there are
all the same. The comparison must be summed or averaged as it is, and must count them: by a mean, by a number of all
positions, or because some of them count as right. No threshold enters.

## Remedy
Select or mask before the score: `keep = labels != pad`, then `(predictions[keep] == labels[keep]).float().mean()`; give
metrics of libraries the selected positions, or their ignore_index.

## When it is wrong to worry
A comparison that is masked, selected or weighed is silent, and so is a sum of which no padding is part.
Where the loss ignores a true class, the score is right and the loss is wrong: ignored-class tells.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, ignore_index; torchmetrics documentation, ignore_index.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.score_inputs import ComparisonFacts, LibraryScoreFacts, PaddedScore
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=WARNING, implied_by=("ignored-class",))
def padded_metric(comparisons: ComparisonFacts | None, scores: LibraryScoreFacts | None) -> Iterator[Verdict]:
    """Take each line whose score counts padding."""
    if comparisons is None and scores is None:
        yield NotApplicable("nothing is scored in which padding could count")
    for facts in (comparisons, scores):
        yield from map(_finding, facts.padded if facts is not None else ())


def _finding(each: PaddedScore) -> Finding:
    share = each.padded / each.positions
    name = each.metric or "the comparison of predictions with labels"
    return Finding(
        summary=f"{name} counts positions that are none: {share:.0%} of them are padding or ignored",
        where=Where(place=each.place),
        evidence={"padded_positions": each.padded, "of": each.positions, "counted_as_right": each.hits,
                  "known_by": each.known_by, "over_all_positions": each.mean},
        impact="the score moves with the padding of the batch",
        fix="leave these positions out before the score: `keep = labels != pad`, then compare what is kept",
    )
