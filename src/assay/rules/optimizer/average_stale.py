"""An averaged copy of the model is evaluated, but never follows, or keeps the batch-norm statistics it began with.

## Why it hurts
An average of weights is a model of its own. Where nobody updates it, its scores are those of the untrained copy. Where
its weights follow but its batch norms keep their running means and variances, each layer is normalised by the numbers
of another network, and the score is far below what the average is worth.

## What is looked at
Models that no optimizer holds and that are evaluated beside a trained model of the same class: PyTorch's AveragedModel,
copies, and models made alike. Their parameters and running statistics are held against those from before the first
step. Statistics that stay the same while the parameters move and while the trained model's statistics move are stale;
so are those of an AveragedModel that averages several states equally and never ran over data in training mode, as
update_bn does: they are the last state's.
Parameters that stay the same over twenty steps and more are a finding only where the program calls the model an
average (in its name, the name of the class that keeps it, or by AveragedModel): other copies may be meant to stay.

## Remedy
Call update_parameters (or the update by hand) after each optimizer step; copy the buffers along, or refresh them with
torch.optim.swa_utils.update_bn before the evaluation.

## When it is wrong to worry
Frozen teachers, references and earlier copies stay as they are; norms that are frozen in the trained model too have
nothing to follow; a target network in training mode keeps statistics of its own. All are silent.

## References
Izmailov et al., "Averaging weights leads to wider optima and better generalization", UAI 2018, section 3.2.
PyTorch documentation, torch.optim.swa_utils.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.averages import AverageFacts, AverageRecord
from assay.rule import WARNING, Finding, Verdict, Where, rule

LONG = 20
"""Steps after which an average that begins late has begun; updates every tenth step are usual, rarer ones are not."""


@rule(severity=WARNING)
def average_stale(averages: AverageFacts) -> Iterator[Verdict]:
    """Take each model that no optimizer holds."""
    for each in averages.averages:
        if each.stale and each.moved:
            yield _statistics(each)
        elif each.claimed and not each.moved and each.steps >= LONG:
            yield _never_updated(each)


def _statistics(each: AverageRecord) -> Finding:
    return Finding(
        summary=f"the averaged {each.model} is evaluated with batch-norm statistics that aren't its own",
        where=Where(place=each.place), evidence=_evidence(each),
        impact="each layer is normalised by the statistics of another network",
        fix="copy the buffers along with the parameters, or call update_bn before the evaluation",
    )


def _never_updated(each: AverageRecord) -> Finding:
    return Finding(
        summary=f"the averaged {each.model} ({each.claimed}) is evaluated as it was {each.steps} steps ago",
        where=Where(place=each.place), evidence=_evidence(each),
        impact="its scores are those of the weights that it was made with",
        fix="update it after each optimizer step",
    )


def _evidence(each: AverageRecord) -> dict[str, object]:
    place = each.evaluated
    return {"steps": each.steps, "parameters_moved": each.moved, "norms": each.norms, "norms_stale": each.stale,
            "evaluated_at": f"{place.file}:{place.line}" if place else "unknown"}
