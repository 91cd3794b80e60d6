"""What is evaluated was preprocessed otherwise than what is trained on.

## Why it hurts
A network that learned from numbers around one is given numbers up to 255, or the reverse. Its answers mean nothing,
the score collapses, and the model seems to overfit.

## What is looked at
Deviations of each number of the examples that enter the model, over the training examples and over each evaluation
that holds the same examples each time. It is an error where nine tenths of four numbers or more, and all of these in
the same direction, differ by a factor of ten: no augmentation does that, and no usual difference between splits. Where
the training examples bear the mark of a scaler (means within 0.1 of 0 and deviations within 0.1 of 1), a factor of 3
is enough, since examples scaled alike would be near 1 too: pixels that were only divided by 255 have a quarter to a
third. Columns of a table that no scaler saw are wider or narrower, each by its unit: there both directions count, if
all evaluated values of two columns or more lie beyond all that were trained on. Where another evaluation lies on the
scale of training, it may be a test of how far the model carries: a note.

## Remedy
Use one function or one transform for all examples, with the statistics of the training rows.

## When it is wrong to worry
Tests with inputs that were rescaled on purpose.

## References
PyTorch, torchvision reference scripts: the same Normalize stands in the presets for training and for evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.examples import EvaluatedScale, ExampleScaleFacts
from assay.rule import ERROR, NOTE, Finding, Verdict, Where, rule

FEWEST = 4  # numbers of an example
MOST = 0.9  # of them


@rule(severity=ERROR)
def eval_preprocess(scales: ExampleScaleFacts) -> Iterator[Verdict]:
    """Look for evaluations on another scale than training."""
    other = [each for each in scales.evaluations if _differs(each)]
    for each in other:
        yield _finding(each, alone=len(other) < len(scales.evaluations))


def _differs(evaluated: EvaluatedScale) -> bool:
    return evaluated.numbers >= FEWEST and evaluated.beyond >= MOST * evaluated.numbers


def _finding(evaluated: EvaluatedScale, *, alone: bool) -> Finding:
    (low, high), (first, last) = evaluated.training, evaluated.evaluated
    return Finding(
        summary=f"evaluated inputs lie between {first:.3g} and {last:.3g}, training inputs between {low:.3g} and "
                f"{high:.3g}: {evaluated.ratio:.3g} times their spread",
        severity=NOTE if alone else ERROR, where=Where(place=evaluated.place),
        evidence={"numbers": evaluated.numbers, "beyond": evaluated.beyond, "median_ratio": evaluated.ratio,
                  "training_is_scaled": evaluated.scaled, "evaluated_examples": evaluated.rows},
        impact="the score says what the model does with inputs that it never learned from",
        fix="preprocess evaluation inputs with the same function and the same statistics as training inputs",
    )
