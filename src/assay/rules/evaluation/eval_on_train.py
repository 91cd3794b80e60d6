"""The validation data are training data.

## Why it hurts
The score then measures memory. It rises as long as training goes on, overfitting can't show, and every choice made by
it favours the model that memorises most.

## What is looked at
Hashes of the examples that pass through validation, as the model sees them, against those of the training examples;
duplicates that the split itself holds are taken off. k shared examples among n are an error once they outweigh the
standard error of an accuracy over n examples, k / n > 0.5 / sqrt(n) (binomial, at its largest), so that they can
decide the score; fewer are a note.

In a watched program it is a warning where an evaluation that its own lines call validation or test (by the names of
functions and variables there) holds fifty different examples or more, all of which were trained on, each time; and
where no evaluation in the program holds any others. Evaluations that aren't called so measure the training score.

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

from assay.facts.examples import EvaluatedExamples, ExampleFacts
from assay.facts.training import EvaluationFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

FEWEST = 50  # examples of a watched evaluation, below which it may be a demonstration


@rule(severity=ERROR, implied_by=("split-overlap",))
def eval_on_train(evaluation: EvaluationFacts | None, passing: ExampleFacts | None) -> Iterator[Verdict]:
    """Count validation examples that are training examples."""
    if evaluation is not None:
        yield from _counted(evaluation)
    elif passing is None:
        yield NotChecked("no model was seen in training and in evaluation")
    elif not passing.apart:
        yield from map(_finding, filter(_trained_on, passing.evaluations))


def _trained_on(evaluated: EvaluatedExamples) -> bool:
    """Whether what is called held out was all trained on, each time, by the one way that training goes."""
    return (
        evaluated.held_out and evaluated.always_known and evaluated.ways == 1
        and evaluated.rows == evaluated.distinct >= FEWEST
    )


def _finding(evaluated: EvaluatedExamples) -> Finding:
    return Finding(
        summary=f"all {evaluated.rows} examples that are evaluated as held out were trained on, and no others are "
                "evaluated",
        severity=WARNING, where=Where(place=evaluated.place),
        evidence={"evaluated": evaluated.rows, "trained_on": evaluated.known, "training_examples": evaluated.training},
        impact="the score is memory", fix="keep some rows out of training, and evaluate on those",
    )


def _counted(evaluation: EvaluationFacts) -> Iterator[Verdict]:
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
