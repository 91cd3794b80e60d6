"""The model is scored while it is in training mode.

## Why it hurts
Dropout then removes units at random, and batch norm takes each batch's own statistics and lets the evaluation data
move the running ones. Scores are worse than the model is, differ from pass to pass and with the batches, and what is
saved afterwards has been changed by data that it was to be judged on.

## What is looked at
Passes of a model that an optimizer has trained before, in training mode, with dropout or batch norm that is active
there. A pass that autograd doesn't record counts if its output, up to the next pass, is given to a loss that is
averaged or summed, or if predictions made of it are compared with as many labels. One that it records counts if a loss
is given its output and that graph is gone before any backward pass reaches it; one such may be the last before a loop
is left, so there must be two at a line. What it costs is told by one such batch, which is run again in evaluation mode
on a copy.

## Remedy
`model.eval()` before evaluating, `model.train()` before training goes on.

## When it is wrong to worry
Monte-Carlo dropout averages before it compares, sampling and pseudo-labels are compared with nothing, and choosing
examples by their losses takes those one by one: all of these are silent. So are models without dropout and batch norm.

## References
PyTorch documentation, "Autograd mechanics", section "Evaluation mode". The request to warn of it, and the false alarms
to avoid: pytorch issue 76383.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.modes import Replay, ReplayFacts, ScoredInTraining, ScoringFacts
from assay.rule import ERROR, Evidence, Finding, Verdict, Where, rule

SHOWN = 5

IMPACT = "scores are random or depend on the batch, and are not the model's own"


@rule(severity=ERROR)
def eval_in_train_mode(scoring: ScoringFacts, replays: ReplayFacts | None) -> Iterator[Verdict]:
    """Every line at which a trained model was scored in training mode."""
    again = {each.place: each for each in replays.replays} if replays else {}
    for each in scoring.scored:
        replay = None if each.recorded else again.get(each.place)
        yield Finding(
            summary=f"{each.model} is evaluated in training mode: {_listed(each.active)} "
                    f"{'is' if len(each.active) == 1 else 'are'} active",
            where=Where(place=each.place, module=each.active[0], step=each.step),
            evidence=_evidence(each, replay),
            impact=_impact(replay) if replay else IMPACT,
            fix="call model.eval() before this pass, and model.train() before training goes on",
        )


def _evidence(scored: ScoredInTraining, replay: Replay | None) -> Evidence:
    seen: Evidence = {
        "active": list(scored.active[:SHOWN]), "passes_scored": scored.passes, "scored_by": scored.how,
        "recorded_by_autograd": scored.recorded,
    }
    if replay is not None:
        seen |= {"rows": replay.rows, "other_predictions": replay.others, "loss": replay.loss,
                 "loss_in_evaluation_mode": replay.evaluated}
    return seen


def _impact(replay: Replay) -> str:
    """What one batch comes to in evaluation mode."""
    if replay.loss is not None and replay.evaluated is not None:
        return f"in evaluation mode, {replay.function} of one batch: {replay.loss:.3g} → {replay.evaluated:.3g}"
    if replay.others is not None:
        return f"in evaluation mode, {replay.others} of {replay.rows} predictions of one batch are others"
    return IMPACT


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - 2
    return " and ".join(names[:2]) if more <= 0 else f"{names[0]}, {names[1]} and {more} more"
