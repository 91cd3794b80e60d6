"""A seed failed or is far off, which the mean would hide.

## Why it hurts
"0.81 ± 0.2" may be two runs at 0.95 and one that collapsed. A recipe that fails one time in three fails for the next
person too, and its mean describes no run at all.

## What is looked at
Every seed's best validation score. A seed without a score has failed. One is far off if its distance from the median
exceeds both four standard errors of the validation set (binomial for accuracy and F1, normal residuals for the errors
of a regression) and four times the spread of the seeds, the median distance from the median scaled to a normal
distribution's deviation (x 1.4826). The first keeps ordinary spread silent, however few the seeds: scores of sound
runs differ by about the standard error, or less, since they share the validation rows; at three of them, one set of
ten equally good seeds in forty would raise an alarm, at four one in a thousand. The second allows for tasks whose
seeds spread more widely than that.

## Remedy
Look at the failed seed's curve: lower the rate, warm it up or clip; then run more seeds. Report every seed.

## When it is wrong to worry
Never silently: a recipe that is known to fail for some seeds should say so, with the share.

## References
Bouthillier et al., "Accounting for variance in machine learning benchmarks", MLSys 2021.
Rousseeuw and Croux, "Alternatives to the median absolute deviation", JASA 88, 1993.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.training import ScoreFacts, SeedScore
from assay.rule import ERROR, Evidence, Finding, NotChecked, Verdict, rule

FAR = 4.0  # standard errors, and spreads
NORMAL = 1.4826  # standard deviations of a normal distribution in one median absolute deviation


@rule(severity=ERROR, implied_by=("diverged", "loss-not-finite"))
def unstable(scores: ScoreFacts) -> Iterator[Verdict]:
    """Look for seeds that failed, then for scores far from the median."""
    failed = [seed for seed in scores.seeds if _failure(seed) is not None]
    if failed:
        yield _failed(scores, failed)
    if len(scores.scores) < 2:
        if not failed:
            yield NotChecked("one seed says nothing about stability")
        return
    middle = statistics.median(scores.scores)
    error = scores.standard_error(middle)
    if isinstance(error, Unknown):
        if not failed:
            yield NotChecked(error.why)
        return
    spread = NORMAL * statistics.median(abs(score - middle) for score in scores.scores)
    limit = FAR * max(error, spread)
    off = [seed for seed in scores.seeds if _failure(seed) is None and abs((seed.score or 0.0) - middle) > limit]
    if off:
        yield _far_off(scores, off, middle=middle, limit=limit)


def _failure(seed: SeedScore) -> str | None:
    """Why the seed has no score, None where it has one."""
    if seed.failure is not None or seed.score is None:
        return seed.failure or "no score"
    return None if math.isfinite(seed.score) else f"its score is {seed.score}"


def _every_seed(scores: ScoreFacts) -> Evidence:
    return {"metric": scores.metric, "scores": {str(seed.seed): seed.score for seed in scores.seeds}}


def _failed(scores: ScoreFacts, failed: list[SeedScore]) -> Finding:
    named = "; ".join(f"seed {seed.seed}: {_failure(seed)}" for seed in failed)
    return Finding(
        summary=f"{len(failed)} of {len(scores.seeds)} seeds failed ({named})",
        evidence={**_every_seed(scores), "failed": {str(seed.seed): _failure(seed) for seed in failed}},
        impact="a mean over the others describes a recipe that doesn't exist",
        fix="look at the failed seed's curve, mend it (a lower rate, warm-up, clipping) and run all seeds again",
    )


def _far_off(scores: ScoreFacts, off: list[SeedScore], *, middle: float, limit: float) -> Finding:
    named = ", ".join(f"seed {seed.seed} at {seed.score:.4g}" for seed in off)
    return Finding(
        summary=f"{named}: far from the median of {len(scores.scores)} seeds, {scores.metric} {middle:.4g}",
        evidence={**_every_seed(scores), "median": middle, "limit": limit,
                  "validation_rows": scores.validation_rows},
        impact="the mean over seeds describes none of them",
        fix="look at that seed's curve, lower the rate or warm it up, and run more seeds",
    )
