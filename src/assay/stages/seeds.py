"""Is it stable?

## Question
One run proves nothing: what do the others, that differ in nothing but the seed, say?

## What is done
The recipe's other seeds are trained as the first one was. Every score is shown, with their mean, standard deviation
(n - 1) and Student's t interval at 95 % for the mean.

## Passes when
No seed failed and none is far off, which a mean would hide.

## What a failure usually means
A rate at the edge of stability, an initialisation that some seeds don't survive, or an evaluation on very few rows.

## References
Bouthillier et al., Accounting for Variance in Machine Learning Benchmarks (MLSys 2021).
"""

from __future__ import annotations

from typing import Any

from assay.comparison.seeds import SeedSummary, summarise
from assay.facts.fact import Unknown
from assay.facts.fact_set import FactSet
from assay.facts.training import CurveFacts, ScoreFacts
from assay.stage import Ground, Measured, Progress, stage
from assay.training.loop import train
from assay.training.seed_scores import score_facts
from assay.training.trained_run import TrainedRun


@stage("Is it stable over seeds?")
def seeds(ground: Ground) -> Measured:
    """Train every seed that isn't trained yet, and show all of them."""
    runs = [_trained(ground, number, seed) for number, seed in enumerate(ground.recipe.seeds)]
    scores = score_facts(ground.assembly, runs, ground.earlier)
    curves = CurveFacts(curves=tuple(curve for run in runs for curve in run.curves), floors=ground.assembly.floors)
    summary = summarise(scores.scores) if scores.scores else None
    return Measured(
        facts=FactSet.of(curves, scores), evidence=_evidence(scores, summary), result=_result(runs, scores, summary),
    )


def _trained(ground: Ground, number: int, seed: int) -> TrainedRun:
    """The first seed's run is the one that the stage below trained; it is read back."""
    count, owner = len(ground.recipe.seeds), "single" if number == 0 else "seeds"

    def report(done: int, total: int, doing: str) -> None:
        ground.report(Progress(done=number * total + done, total=count * total, doing=f"seed {seed}, {doing}"))

    return train(
        ground.assembly, recipe=ground.recipe, seed=seed, folder=ground.folder / owner / f"seed-{seed}", report=report,
    )


def _evidence(scores: ScoreFacts, summary: SeedSummary | None) -> str:
    each = " ".join("failed" if seed.score is None else f"{seed.score:.4f}" for seed in scores.seeds)
    if summary is None:
        return f"{scores.metric}: no seed has a score"
    error = scores.standard_error(summary.mean)
    rows = "" if isinstance(error, Unknown) else f"; {scores.validation_rows} rows alone leave ± {error:.2g}"
    return f"{scores.metric} {summary}{rows}; each: {each}"


def _result(runs: list[TrainedRun], scores: ScoreFacts, summary: SeedSummary | None) -> dict[str, Any]:
    return {
        "metric": scores.metric, "sense": scores.sense,
        "seeds": [
            {"seed": run.seed, "score": score.score, "epoch": score.epoch, "failure": score.failure,
             "epochs": run.epochs, "stopped": run.stopped, "confusion_matrix": run.confusion_matrix,
             "per_class_recall": run.per_class_recall}
            for run, score in zip(runs, scores.seeds, strict=True)
        ],
        "mean": summary.mean if summary else None, "deviation": summary.deviation if summary else None,
        "interval": [summary.low, summary.high] if summary else None,
        "baselines": {each.name: each.scores for each in scores.baselines},
    }
