"""What does "good" mean here?

## Question
A score says nothing by itself. What do the constant prediction, a linear model, boosted trees and any published model
that the recipe names get on the same validation rows, by the recipe's own metrics?

## What is done
Each is fitted on the training rows as the network sees them, seeded with the recipe's first seed, and scored on the
whole validation set by the code that scores the network.

## Passes when
Always: baselines are for comparison. The stages above compare.

## References
Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), chapters 3, 4 and 10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from assay.dataset import Prepared
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.training import BaselineScore, ScoreFacts
from assay.models.baselines import boosted_trees, constant, linear, published
from assay.recipe.schema import Baseline
from assay.stage import Ground, Measured, Progress, stage
from assay.training.metrics import Scorer
from assay.training.seed_scores import selecting

OWN: dict[str, Callable[..., Any]] = {
    "constant": constant.fit_predict, "linear": linear.fit_predict, "boosted trees": boosted_trees.fit_predict,
}


@dataclass(frozen=True)
class _Known:
    """What baselines need to know of an experiment."""

    prepared: Prepared
    scorer: Scorer


@stage("What does good mean here?")
def baselines(ground: Ground) -> Measured:
    """Fit and score every baseline."""
    assembly = ground.assembly
    if assembly.prepared is None or assembly.scorer is None:
        why = "people's own data modules don't show rows that a baseline could be fitted on"
        return Measured(facts=FactSet(absent={ScoreFacts: Absent(why)}), evidence=f"not checked: {why}")
    known = _Known(assembly.prepared, assembly.scorer)
    metric, sense = selecting(assembly)
    facts = ScoreFacts(
        metric=metric, sense=sense, validation_rows=len(known.prepared.validation),
        baselines=tuple(_scores(ground, known)), seeds=(),
    )
    return Measured(
        facts=FactSet.of(facts), evidence=_evidence(facts),
        result={"metric": metric, "baselines": {each.name: each.scores for each in facts.baselines}},
    )


def _scores(ground: Ground, known: _Known) -> Iterator[BaselineScore]:
    named = [*OWN.items(), *_published(ground.recipe.baselines)]
    for number, (name, fit_predict) in enumerate(named):
        ground.report(Progress(done=number, total=len(named), doing=name))
        predicted = fit_predict(
            known.prepared.train, known.prepared.validation.x, task=known.scorer.task, seed=ground.recipe.seeds[0],
        )
        truth = torch.from_numpy(known.prepared.validation.y)
        yield BaselineScore(name=name, scores=known.scorer.score(torch.from_numpy(predicted), truth).scalars)


def _published(copied: Sequence[Baseline]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Each by its class's name; the second of one class with other arguments by its number too."""
    counts = Counter[str]()
    for each in copied:
        name = each.class_path.rpartition(".")[2]
        counts[name] += 1
        numbered = name if counts[name] == 1 else f"{name} {counts[name]}"
        yield numbered, partial(published.fit_predict, baseline=each)


def _evidence(facts: ScoreFacts) -> str:
    parts = [f"{each.name} {each.scores[facts.metric]:.4f}" for each in facts.baselines if facts.metric in each.scores]
    return f"{facts.metric}: {', '.join(parts)}" if parts else f"{facts.metric} is no metric of these baselines"
