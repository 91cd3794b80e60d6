"""The model does no better than a constant prediction.

## Why it hurts
Always answering with the commonest class, or the mean, needs no inputs. A model that doesn't beat it has learned
nothing that the validation set can see, and anything built on it rests on nothing.

## What is looked at
The mean over the seeds of each one's best validation score, by the metric that selects, against the constant's on the
same rows. The best epoch counts, so that poor first epochs don't; but as it was chosen by this very score, a model
without any skill comes out a little ahead. So up to a quarter of a standard error of the validation set is no better,
and an error (a network that has collapsed to a constant of its own stays far below that); up to a whole one is a
warning. The standard error is binomial for accuracy and F1 and that of normal residuals for a regression; for a
metric without a known one, equal is the limit.

## Remedy
Look at the findings of smoke and overfit first; then at the rate (an order of magnitude up and down) and at whether
labels and inputs still belong together.

## When it is wrong to worry
Data without any signal, on purpose.

## References
Karpathy, "A recipe for training neural networks", 2019: "get dumb baselines".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.training import ScoreFacts
from assay.rule import ERROR, WARNING, Finding, NotChecked, Verdict, rule

COLLAPSED = 0.25  # standard errors of the validation set


@rule(severity=ERROR, implied_by=(
    "loss-not-finite", "diverged", "plateau-at-floor", "loss-on-probabilities", "loss-broadcast",
    "params-not-optimised", "update-lost", "constant-output", "input-ignored", "grad-accumulates",
))
def worse_than_constant(scores: ScoreFacts) -> Iterator[Verdict]:
    """Compare the seeds' mean with the constant baseline."""
    constant, mean = scores.baseline("constant"), scores.mean
    if constant is None:
        yield NotChecked("no constant baseline was measured by the selecting metric")
        return
    if mean is None:
        yield NotChecked("no seed has a score")
        return
    known = scores.standard_error(constant)
    error, gain = 0.0 if isinstance(known, Unknown) else known, scores.gain(mean, constant)
    if gain <= COLLAPSED * error or gain < error:
        yield Finding(
            summary=f"the model does no better than a constant prediction: {scores.metric} {mean:.4g} against "
                    f"{constant:.4g} on {scores.validation_rows} validation examples",
            severity=ERROR if gain <= COLLAPSED * error else WARNING,
            evidence={"metric": scores.metric, "sense": scores.sense, "constant": constant, "mean": mean,
                      "standard_error": error, "seeds": {str(seed.seed): seed.score for seed in scores.seeds}},
            impact="nothing was learned that the validation set can see",
            fix="look at smoke and overfit first, then try rates ten times smaller and larger",
        )
