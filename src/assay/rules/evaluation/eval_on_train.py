"""The validation data are training data.

## Why it hurts
The score then measures memory. It rises as long as training goes on, overfitting can't show, and every choice made by
it favours the model that memorises most.

## What is looked at
Hashes of the examples that pass through validation, as the model sees them, against those of the training examples;
duplicates that the split itself holds are taken off. k shared examples among n are an error once they outweigh the
standard error of an accuracy over n examples, k / n > 0.5 / sqrt(n) (binomial, at its largest), so that they can
decide the score; fewer are a note.

## Remedy
Give the validation loader the validation split.

## When it is wrong to worry
An overfit test, where both are the same batch on purpose; a second loader that measures the training score.

## References
Kapoor and Narayanan, "Leakage and the reproducibility crisis in machine-learning-based science", Patterns 4, 2023.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.training import EvaluationFacts
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, rule


@rule(severity=ERROR, implied_by=("split-overlap",))
def eval_on_train(evaluation: EvaluationFacts) -> Iterator[Verdict]:
    """Count validation examples that are training examples."""
    if evaluation.examples == 0:
        yield NotChecked("no example passed through validation")
        return
    seen = evaluation.seen_in_training
    if seen:
        share = seen / evaluation.examples
        decides = seen > 0.5 * math.sqrt(evaluation.examples)
        yield Finding(
            summary=f"{seen} of {evaluation.examples} validation examples are training examples",
            severity=ERROR if decides else NOTE,
            evidence={"seen_in_training": seen, "examples": evaluation.examples, "expected": evaluation.expected},
            impact=f"up to {share:.1%} of the score is memory",
            fix="give the validation loader the validation split, and drop copies of training examples from it",
        )
