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

from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.training import ScoreFacts
from assay.stage import Ground, Measured, Progress, stage
from assay.training.baselines import baseline_scores
from assay.training.seed_scores import selecting, validation_rows


@stage("What does good mean here?")
def baselines(ground: Ground) -> Measured:
    """Fit and score every baseline."""
    assembly = ground.assembly
    if assembly.prepared is None or assembly.scorer is None:
        why = "people's own data modules don't show rows that a baseline could be fitted on"
        return Measured(facts=FactSet(absent={ScoreFacts: Absent(why)}), evidence=why)
    metric, sense = selecting(assembly)
    scores = baseline_scores(
        ground.recipe, train=assembly.prepared.train, scored=assembly.prepared.validation, scorer=assembly.scorer,
        report=lambda done, total, name: ground.report(Progress(done=done, total=total, doing=name)),
    )
    facts = ScoreFacts(
        metric=metric, sense=sense, validation_rows=validation_rows(assembly, ground.earlier), baselines=tuple(scores),
        seeds=(),
    )
    return Measured(
        facts=FactSet.of(facts), evidence=_evidence(facts),
        result={"metric": metric, "baselines": {each.name: each.scores for each in facts.baselines}},
    )


def _evidence(facts: ScoreFacts) -> str:
    parts = [f"{each.name} {each.scores[facts.metric]:.4f}" for each in facts.baselines if facts.metric in each.scores]
    return f"{facts.metric}: {', '.join(parts)}" if parts else f"{facts.metric} is no metric of these baselines"
