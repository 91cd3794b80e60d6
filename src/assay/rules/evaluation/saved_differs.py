"""The weights that are saved are not the ones that were trained.

## Why it hurts
The file loads without a complaint, since its names and shapes are right, and whoever uses it gets a network that
has learned nothing. Training, its log and its scores show no trace of it.

## What is looked at
Dictionaries of weights that torch.save writes, with all names, shapes and types of a model that was trained: they are
held against the model's weights at that moment and before its first step. A finding is a program that never writes the
trained weights, nor an average or an earlier state of them, but writes those from before training, or another module's
that no optimizer holds and that was neither loaded, copied nor written to as often as steps were taken. Twenty steps
must have been taken, so that a first state that is kept on purpose isn't taken for the last.

## Remedy
Take the state of the trained model when it is saved: `torch.save(model.state_dict(), path)` with the model that the
optimizer was given.

## When it is wrong to worry
Averages, best weights of an earlier epoch, half-precision casts and quantised weights are other than the live ones by
intention and stay silent, and so does a first state that is kept beside the last.

## References
TrainCheck (OSDI 2025) on Hugging Face transformers issue 29903: an interface that saves other weights than the model's.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.saved_weights import SavedRecord, SavedWeights
from assay.rule import ERROR, Finding, Verdict, Where, rule

ENOUGH = 20


@rule(severity=ERROR)
def saved_differs(saved: SavedWeights) -> Iterator[Verdict]:
    """Take the writings of each model."""
    for model in dict.fromkeys(each.model for each in saved.saves):
        here = [each for each in saved.saves if each.model == model]
        wrong = [each for each in here if each.origin in ("initial", "untrained")]
        if len(wrong) == len(here) and wrong[-1].steps >= ENOUGH:
            yield _finding(wrong[-1], len(here))


def _finding(each: SavedRecord, saves: int) -> Finding:
    whose = "from before its training" if each.origin == "initial" else "of another one that was never trained"
    return Finding(
        summary=f"the weights that are saved for {each.model} are those {whose}",
        where=Where(place=each.place), evidence={"saves": saves, "steps_taken": each.steps, "origin": each.origin},
        impact="whoever loads the file gets a network that has learned nothing",
        fix="save the state of the model that was trained, taken when it is saved",
    )
