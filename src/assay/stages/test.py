"""What does it score on rows that no choice has seen?

## Question
Every choice so far was made by the validation rows, which flatters what was chosen by them. What do the weights get on
rows that nothing was fitted to or chosen by?

## What is done
The best checkpoint of every seed predicts the whole test set on one device, and is scored by the recipe's own metrics:
each seed, their mean, standard deviation and Student's t interval, and all seeds together by the mean of their
probabilities, as `assay predict` uses them. The baselines are fitted again on the same training
rows and scored on the same test rows. Nothing is trained, and nothing is chosen.

## Passes when
These rows were never opened before.

## What a failure usually means
Somebody looked before: the score is no estimate of the future any more, see the rule test-reused.

## References
Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 7.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from assay.comparison.seeds import SeedSummary, summarise
from assay.dataset import Examples, Split
from assay.errors import UnusableInput
from assay.facts.fact import Unknown
from assay.facts.fact_set import FactSet
from assay.facts.task import Sense
from assay.facts.training import BaselineScore, ScoreFacts
from assay.preparation import prepare
from assay.recipe.metrics import METRICS
from assay.recipe.schema import DataBlock
from assay.stage import Ground, Measured, Progress, stage
from assay.training.assembly import Assembly
from assay.training.baselines import OWN, baseline_scores
from assay.training.batches import tensors, validation_batches
from assay.training.best_weights import best_module, best_weights, device_of, outputs_of
from assay.training.metrics import Scorer, Scores
from assay.training.probabilities import averaged, decided
from assay.training.seed_scores import rows_that_count, selecting


@dataclass(frozen=True, kw_only=True)
class SeedTest:
    """One seed on the test rows; `scores` is None where its training never had a finite epoch."""

    seed: int
    scores: Scores | None
    weights: str | None


@dataclass(frozen=True, kw_only=True)
class Tested:
    """All that was scored; `together` are the seeds' networks as one, by the mean of what they say."""

    seeds: tuple[SeedTest, ...]
    together: Scores | None
    baselines: tuple[BaselineScore, ...]
    rows: int


@stage("What does it score on rows that no choice has seen?")
def test(ground: Ground) -> Measured:
    """Score every seed's best weights, and the baselines, on the test rows."""
    examples, scorer = sealed_examples(ground)
    assert ground.assembly.prepared is not None
    weights = best_weights(ground.folder, ground.recipe)
    total = len(weights) + len(OWN) + len(ground.recipe.baselines)
    outputs: dict[int, Tensor] = {}
    for number, seed in enumerate(weights):
        ground.report(Progress(done=number, total=total, doing=f"seed {seed}"))
        outputs[seed] = _outputs(ground, seed, validation_batches(*tensors(examples)))
    targets = torch.from_numpy(examples.y)
    scores = {seed: scorer.score(scorer.predictions(each), targets) for seed, each in outputs.items()}
    baselines = baseline_scores(
        ground.recipe, train=ground.assembly.prepared.train, scored=examples, scorer=scorer,
        report=lambda done, _, name: ground.report(Progress(done=len(weights) + done, total=total, doing=name)),
    )
    return _measured(ground, Tested(
        seeds=tuple(SeedTest(seed=seed, scores=scores.get(seed), weights=weights.get(seed))
                    for seed in ground.recipe.seeds),
        together=_together(ground, list(outputs.values()), targets), baselines=tuple(baselines),
        rows=rows_that_count(examples, scorer),
    ))


def sealed_examples(ground: Ground) -> tuple[Examples, Scorer]:
    """The test rows as they enter the network, and what scores them.

    Raises UnusableInput where the experiment has no test rows that are known here.
    """
    data, scorer = ground.recipe.data, ground.assembly.scorer
    if ground.dataset is None or ground.split is None or not isinstance(data, DataBlock):
        raise UnusableInput(
            f"{ground.folder} trains on a data module of your own, whose test rows only that module knows: call its "
            "test_dataloader yourself, once."
        )
    if scorer is None:
        raise UnusableInput(
            f"{ground.folder} doesn't say what it predicts: state `task:` in the recipe and start a new run."
        )
    if not len(ground.split.test):
        raise UnusableInput(f"{ground.folder} set no test rows aside (data.split.test: 0): there is nothing to open.")
    # fitted on the training rows; the test rows stand where the validation rows stood
    opened = Split(train=ground.split.train, validation=ground.split.test, test=ground.split.test[:0])
    return prepare(ground.dataset, opened, data).validation, scorer


def refuse_unscorable(ground: Ground) -> None:
    """Look, on validation rows, whether the outputs of people's own module can be scored, before anything is opened.

    Raises UserCodeError where the module fails or gives no tensor of the right form, UnusableInput where a binary
    task's outputs lie between 0 and 1: probabilities would be taken for logits.
    """
    if ground.assembly.task is not None or ground.assembly.scorer is None:
        return
    seed = next(iter(best_weights(ground.folder, ground.recipe)))
    outputs = _outputs(ground, seed, ground.assembly.validation_batches())
    scorer, wide = ground.assembly.scorer, outputs.shape[-1] if outputs.ndim > 1 else 1
    if outputs.ndim > 2 or (scorer.task == "multiclass" and wide != scorer.classes):
        raise UnusableInput(
            f"The module of {ground.folder} gives outputs of shape {list(outputs.shape)}, which a {scorer.task} task "
            "can't be scored by: return one number a class from forward."
        )
    if scorer.task == "binary" and wide == 1 and bool(((outputs >= 0) & (outputs <= 1)).all()):
        raise UnusableInput(
            f"The module of {ground.folder} gives outputs between 0 and 1, which look like probabilities: return "
            "logits from forward, so that they can be scored."
        )


def _outputs(ground: Ground, seed: int, batches: Any) -> Tensor:
    module = best_module(ground.assembly, ground.folder, ground.recipe, seed)
    return outputs_of(ground.assembly, module.to(device_of(ground.recipe.training)), batches)


def _together(ground: Ground, outputs: list[Tensor], targets: Tensor) -> Scores | None:
    """None for a single seed, and for people's own modules: what their outputs mean isn't known here."""
    task, scorer = ground.assembly.task, ground.assembly.scorer
    if task is None or scorer is None or len(outputs) < 2:
        return None
    return scorer.score(decided(averaged(outputs, task.kind), task.kind), targets)


def _measured(ground: Ground, tested: Tested) -> Measured:
    metric, sense = _metric(ground.assembly)
    found = {each.seed: each.scores.scalars.get(metric, math.nan) for each in tested.seeds if each.scores is not None}
    known = [score for score in found.values() if math.isfinite(score)]
    summary = summarise(known) if known else None
    facts = ScoreFacts(
        metric=metric, sense=sense, validation_rows=tested.rows, baselines=tested.baselines, seeds=(),
    )
    error = facts.standard_error(summary.mean) if summary else Unknown("no seed has a score")
    result: dict[str, Any] = {
        "metric": metric, "sense": sense, "rows": tested.rows, "device": str(device_of(ground.recipe.training)),
        "classes": list(ground.dataset.classes) if ground.dataset else [],
        "seeds": [_seed_result(each, found.get(each.seed)) for each in tested.seeds],
        "mean": summary.mean if summary else None, "deviation": summary.deviation if summary else None,
        "interval": [summary.low, summary.high] if summary and summary.low is not None else None,
        "standard_error": None if isinstance(error, Unknown) else error,
        "together": tested.together.scalars if tested.together else None,
        "baselines": {each.name: each.scores for each in tested.baselines},
    }
    return Measured(facts=FactSet(), evidence=_evidence(facts, found, summary, error), result=result)


def _metric(assembly: Assembly) -> tuple[str, Sense]:
    """What runs are compared by; where people's own module monitors a quantity of its own, the scorer's first."""
    metric, sense = selecting(assembly)
    assert assembly.scorer is not None
    if metric in assembly.scorer.metrics:
        return metric, sense
    named = ((name, METRICS[name].sense) for name in assembly.scorer.metrics)
    return next((name, known) for name, known in named if known is not None)


def _seed_result(each: SeedTest, score: float | None) -> dict[str, Any]:
    return {
        "seed": each.seed, "score": score, "weights": each.weights,
        "scores": each.scores.scalars if each.scores else None,
        "confusion_matrix": each.scores.confusion_matrix if each.scores else None,
        "per_class_recall": each.scores.per_class_recall if each.scores else None,
        "failure": None if each.scores else "its training had no epoch with a finite score",
    }


def _evidence(
    facts: ScoreFacts, found: dict[int, float], summary: SeedSummary | None, error: float | Unknown,
) -> str:
    if summary is None:
        return f"{facts.metric}: no seed has a score"
    each = " ".join(f"{score:.4f}" for score in found.values())
    rivals = [f"{one.name} {one.scores[facts.metric]:.4f}" for one in facts.baselines if facts.metric in one.scores]
    rows = f"{facts.validation_rows} rows"
    if not isinstance(error, Unknown):
        rows += f" (their choice moves it by ± {error:.4f})"
    return "; ".join([f"{facts.metric} {summary} on {rows}; each: {each}", ", ".join(rivals)])
