"""A score is given something else than it takes: logits for probabilities, decisions for scores, or shapes that cross.

## Why it hurts
The program runs and prints a number, but of another question. Predictions of shape [n, 1] against labels of shape [n]
are compared each with each, so that accuracy is that of a guess. A logit of 0.3 means more likely than not, yet lies
below 0.5. One output has no largest of several: argmax always gives class 0. An area under a curve of decisions knows
one point of the curve. Precision with its arguments swapped is recall.

## What is looked at
Comparisons by hand and calls of scikit-learn's and torchmetrics' functions whose predictions are known, value by value,
to be made of the model's latest outputs. Logits are known by the loss that the model is trained on and by values
outside of [0, 1]. No threshold enters but the number of examples, twenty, below which decisions and scores look alike.

## Remedy
Bring predictions and labels to one shape, compare logits with 0 or their sigmoid with 0.5, give rankings the scores
themselves, and give arguments in the order of the function's documentation.

## When it is wrong to worry
Outputs that are no logits may be cut at 0.5, and scores that are symmetric may be given in any order: both are silent.
A ranking of decisions is meant where a decision rule itself is judged.

## References
scikit-learn documentation, "Metrics and scoring", y_true before y_pred; torchmetrics documentation, preds before
target; PyTorch documentation, torch.nn.BCEWithLogitsLoss.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.score_inputs import ComparisonFacts, LibraryScoreFacts, Misreading, MisreadScore
from assay.rule import ERROR, WARNING, Finding, NotApplicable, Verdict, Where, rule

SAYS: dict[Misreading, tuple[str, str]] = {
    "broadcast": ("compares predictions of shape [n, 1] with labels of shape [n], each with each",
                  "bring both to one shape: predictions.squeeze(1), or labels.unsqueeze(1)"),
    "half of a logit": ("cuts logits at 0.5, as if they were probabilities",
                        "compare the logits with 0, or their sigmoid with 0.5"),
    "single output": ("takes the largest of one output, which is always the first",
                      "compare the one logit with 0, or its sigmoid with 0.5"),
    "decisions ranked": ("ranks decisions of 0 and 1, where scores belong",
                         "give it probabilities or logits"),
    "swapped": ("is given the predictions for labels and the labels for predictions",
                "swap the two arguments"),
}


@rule(severity=ERROR)
def metric_input(comparisons: ComparisonFacts | None, scores: LibraryScoreFacts | None) -> Iterator[Verdict]:
    """Take each line that scores something else than was meant."""
    if comparisons is None and scores is None:
        yield NotApplicable("nothing is scored whose form could be mistaken")
    for facts in (comparisons, scores):
        yield from map(_finding, facts.misread if facts is not None else ())


def _finding(each: MisreadScore) -> Finding:
    says, fix = SAYS[each.fault]
    evidence: dict[str, object] = {"rows": each.rows, "fault": each.fault}
    if each.wrong is not None:
        evidence["otherwise_than_meant"] = each.wrong
    return Finding(
        summary=f"{each.metric or 'the score'} {says}", where=Where(place=each.place),
        severity=ERROR if each.fault in ("broadcast", "single output") else WARNING, evidence=evidence,
        impact="the reported score answers another question", fix=fix,
    )
