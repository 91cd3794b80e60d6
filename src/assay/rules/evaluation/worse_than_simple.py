"""The model does no better than a linear model or boosted trees.

## Why it hurts
A model that takes minutes of fitting and no tuning does as well. The network's cost, its many settings and its
fragility then buy nothing, and its score is no evidence that it found structure that simpler models miss.

## What is looked at
The mean over the seeds of each one's best validation score, by the metric that selects, against the best baseline
other than the constant, on the same rows. No better is a warning. Better by less than one standard error of the
validation set is a note: that much, chance gives in one of six comparisons of equals. The standard error is binomial
for accuracy and F1 and that of normal residuals for errors of a regression; that both models are judged on the same
rows, which makes the comparison somewhat sharper, is left aside.

## Remedy
Use the simpler model, or find out what the network is missing: features, data, regularisation, rate.

## When it is wrong to worry
Small tables, where boosted trees are hard to beat; a network that is needed for other reasons (transfer, several
inputs, one model on a device).

## References
Grinsztajn, Oyallon and Varoquaux, "Why do tree-based models still outperform deep learning on typical tabular
data?", NeurIPS 2022.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.training import ScoreFacts
from assay.rule import NOTE, WARNING, Finding, NotChecked, Severity, Verdict, rule


@rule(severity=WARNING, implied_by=("worse-than-constant", "cannot-overfit"))
def worse_than_simple(scores: ScoreFacts) -> Iterator[Verdict]:
    """Compare the seeds' mean with the best of the other models."""
    mean = scores.mean
    simple = {each.name: each.scores[scores.metric] for each in scores.baselines
              if each.name != "constant" and scores.metric in each.scores}
    if not simple:
        yield NotChecked("no baseline but the constant was measured by the selecting metric")
        return
    if mean is None:
        yield NotChecked("no seed has a score")
        return
    best = max(simple, key=lambda name: scores.gain(simple[name], 0.0))
    gain, error = scores.gain(mean, simple[best]), scores.standard_error(simple[best])
    if gain <= 0:
        yield _finding(scores, simple, best, severity=WARNING)
    elif not isinstance(error, Unknown) and gain < error:
        yield _finding(scores, simple, best, severity=NOTE)


def _finding(scores: ScoreFacts, simple: dict[str, float], best: str, *, severity: Severity) -> Finding:
    error = scores.standard_error(simple[best])
    said = "no better" if severity is WARNING else "hardly better"
    chance = "" if isinstance(error, Unknown) else f" ± {error:.2g}"
    return Finding(
        summary=f"the network does {said} than {best}: {scores.metric} {scores.mean:.4g} against "
                f"{simple[best]:.4g}{chance} on {scores.validation_rows} validation examples",
        severity=severity,
        evidence={"metric": scores.metric, "sense": scores.sense, "mean": scores.mean, "baselines": simple,
                  "standard_error": None if isinstance(error, Unknown) else error,
                  "seeds": {str(seed.seed): seed.score for seed in scores.seeds}},
        fix=f"use {best}, or find out what the network is missing: features, data, regularisation, rate",
    )
