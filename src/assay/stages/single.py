"""Does one full run beat the baselines?

## Question
Is the network worth more runs? One full training with the recipe's first seed, judged by the selecting metric on the
validation rows against every baseline.

## What is done
The recipe's training to its end (or to early stopping). The best checkpoint by the monitored metric is what counts.

## Passes when
The run does not diverge, does not stall at a known floor, and beats the constant prediction. Doing no better than
a linear model or boosted trees is a warning: said, but no reason to stop.

## What a failure usually means
A rate that is too large or too small by an order of magnitude; else what smoke and overfit warned of.
"""

from __future__ import annotations

from typing import Any

from assay.facts.fact_set import FactSet
from assay.facts.training import CurveFacts, ScoreFacts
from assay.stage import Ground, Measured, Progress, stage
from assay.training.loop import train
from assay.training.seed_scores import score_facts
from assay.training.trained_run import TrainedRun


@stage("Does one full run beat the baselines?")
def single(ground: Ground) -> Measured:
    """Train the first seed."""
    seed = ground.recipe.seeds[0]
    run = train(
        ground.assembly, recipe=ground.recipe, seed=seed, folder=ground.folder / "single" / f"seed-{seed}",
        report=lambda done, total, doing: ground.report(Progress(done=done, total=total, doing=doing)),
    )
    scores = score_facts(ground.assembly, [run], ground.earlier)
    facts = FactSet.of(CurveFacts(curves=run.curves, floors=ground.assembly.floors), scores)
    return Measured(facts=facts, evidence=_evidence(run, scores), result=_result(run, scores))


def _evidence(run: TrainedRun, scores: ScoreFacts) -> str:
    score = scores.seeds[0].score
    said = f"{scores.metric} {score:.4f}" if score is not None else f"no {scores.metric}"
    at = "" if run.best_epoch is None else f" at epoch {run.best_epoch + 1} of {run.epochs}"
    rivals = [f"{each.name} {each.scores[scores.metric]:.4f}" for each in scores.baselines
              if scores.metric in each.scores]
    return f"{said}{at}" + (f"; {', '.join(rivals)}" if rivals else "")


def _result(run: TrainedRun, scores: ScoreFacts) -> dict[str, Any]:
    best = next((row for row in run.history if row["epoch"] == run.best_epoch), {})
    return {
        "seed": run.seed, "metric": scores.metric, "score": scores.seeds[0].score, "epoch": run.best_epoch,
        "epochs": run.epochs, "steps": run.steps, "stopped": run.stopped, "logger": run.logger,
        "best": dict(best), "confusion_matrix": run.confusion_matrix, "per_class_recall": run.per_class_recall,
        "checkpoints": {name: str(path) for name, path in run.checkpoints.items()}, "notes": list(run.notes),
    }
