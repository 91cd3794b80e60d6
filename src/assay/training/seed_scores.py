"""What a trained run is worth: its score at its best epoch, by the metric that selects."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from assay.dataset import Examples
from assay.facts.fact_set import FactSet
from assay.facts.task import Sense
from assay.facts.training import BaselineScore, EvaluationFacts, ScoreFacts, SeedScore
from assay.recipe.metrics import METRICS
from assay.training.assembly import Assembly
from assay.training.metrics import Scorer
from assay.training.trained_run import TrainedRun


def selecting(assembly: Assembly) -> tuple[str, Sense]:
    """The metric by which runs are compared, and its sense.

    The monitored metric, where baselines can be scored by it too; where a recipe monitors the loss, the task's
    selecting metric; for people's own modules, whatever they monitor.
    """
    monitor = assembly.fitting.monitor
    metric = METRICS.get(monitor.removeprefix("val_"))
    if assembly.scorer is not None and metric is not None and metric.sense and metric.name in assembly.scorer.metrics:
        return metric.name, metric.sense
    if assembly.task is not None:
        return assembly.task.selects, assembly.task.sense
    return monitor, assembly.fitting.sense


def score_facts(assembly: Assembly, runs: Sequence[TrainedRun], earlier: FactSet) -> ScoreFacts:
    """Every run's score beside the baselines that an earlier stage measured."""
    metric, sense = selecting(assembly)
    return ScoreFacts(
        metric=metric, sense=sense, validation_rows=validation_rows(assembly, earlier),
        baselines=_baselines(earlier), seeds=tuple(_seed_score(run, metric) for run in runs),
    )


def _seed_score(run: TrainedRun, metric: str) -> SeedScore:
    row = next((row for row in run.history if row["epoch"] == run.best_epoch), None)
    value = None if row is None else row.get(metric, row.get(f"val_{metric}"))
    if run.stopped == "not finite":
        return SeedScore(seed=run.seed, score=None, epoch=run.best_epoch, failure="its loss is not finite")
    if value is None or not math.isfinite(value):
        return SeedScore(seed=run.seed, score=None, epoch=run.best_epoch, failure=f"no epoch has a finite {metric}")
    return SeedScore(seed=run.seed, score=value, epoch=run.best_epoch)


def _baselines(earlier: FactSet) -> tuple[BaselineScore, ...]:
    known = earlier.find(ScoreFacts)
    return known.baselines if isinstance(known, ScoreFacts) else ()


def validation_rows(assembly: Assembly, earlier: FactSet) -> int:
    """How many validation examples count in a score; 0 where nothing tells."""
    if assembly.prepared is not None:
        return rows_that_count(assembly.prepared.validation, assembly.scorer)
    seen = earlier.find(EvaluationFacts)
    return seen.examples if isinstance(seen, EvaluationFacts) else 0


def rows_that_count(examples: Examples, scorer: Scorer | None) -> int:
    """Examples without those whose target is to be ignored."""
    return len(examples) if scorer is None else int(scorer.counted(torch.from_numpy(examples.y)).sum())
