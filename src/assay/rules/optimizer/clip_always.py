"""Clipping shrinks the gradients at every step: it has become the rate.

## Why it hurts
Where every step is clipped to the same length, the limit sets the length of each step, and the loss's own scale is
lost. Under plain descent the effective rate is the rate times the limit over the norm.

## What is looked at
The norms that clip_grad_norm_ met at the sampled steps, eight at least. All of them above the limit, and their median
above ten times it, is a note: the limit was meant for rare leaps.

It is a warning where clipping has stopped training: the only optimizer is SGD, whose steps shrink with the gradients;
the median norm is fifty times the limit; the median update is below a fifth of the usual thousandth of the weights
(Karpathy), in a hundred steps or more; and the only loss has fallen by less than a fifth, between the medians of its
first and its last three samples.

## Remedy
Look at the norms and set the limit near their upper end, or lower the rate instead.

## When it is wrong to worry
Normalised-gradient methods and summed losses under Adam clip at every step and train well, which is why this is mostly
a note. Under SGD a rate that was raised to make up for it shows in the size of the updates. Loaded weights may be
tuned by little on purpose.

## References
Pascanu et al., On the difficulty of training recurrent neural networks, 2013, section 3.2: a limit from the average
norm over many updates. Karpathy, A Recipe for Training Neural Networks, 2019, and the notes of CS231n: ratio of updates
to weights, about 1e-3.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from assay.facts.clipping import ClippingFacts, ClipRecord
from assay.facts.loss import LossFacts
from assay.facts.model import ModelFacts
from assay.facts.optimizer import OptimizerFacts
from assay.rule import NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

LOOKS = 8
FACTOR = 10.0

HELD_BACK = 50.0
SMALL = 2e-4
STEPS = 100
FALLEN = 0.2
COUNTED = 3


@rule(severity=WARNING)
def clip_always(
    clipping: ClippingFacts, optimizers: OptimizerFacts | None, losses: LossFacts | None, models: ModelFacts | None,
) -> Iterator[Verdict]:
    """Compare the norms with the limit."""
    norms = [clip for clip in clipping.clips if len(clip.norms) >= LOOKS]
    if not norms:
        yield NotChecked(f"no clipping of norms was looked at {LOOKS} times")
    loaded = models is None or any(parameter.loaded for model in models.models for parameter in model.parameters)
    slow = not loaded and _level(losses)
    for clip in norms:
        usual = statistics.median(clip.norms)
        if min(clip.norms) > clip.limit and usual > FACTOR * clip.limit:
            ratio = _held_back(optimizers) if slow and usual >= HELD_BACK * clip.limit else None
            yield _finding(clip, usual, ratio)


def _level(losses: LossFacts | None) -> bool:
    """Whether a program's only loss has hardly fallen."""
    calls = losses.calls if losses is not None else ()
    if len(calls) < 2 * COUNTED or len({(call.name, call.place) for call in calls}) != 1:
        return False
    first, last = (statistics.median(call.value for call in part) for part in (calls[:COUNTED], calls[-COUNTED:]))
    return 0 < (1 - FALLEN) * first < last


def _held_back(optimizers: OptimizerFacts | None) -> float | None:
    """The median update of the only optimizer against its weights, where that is SGD's and small."""
    stepped = [each for each in optimizers.optimizers if each.steps] if optimizers is not None else []
    if len(stepped) != 1 or stepped[0].kind != "SGD" or stepped[0].steps < STEPS or not stepped[0].update_ratios:
        return None
    ratio = statistics.median(stepped[0].update_ratios)
    return ratio if ratio < SMALL else None


def _finding(clip: ClipRecord, usual: float, ratio: float | None) -> Finding:
    return Finding(
        summary=f"every step is clipped, to a norm of {clip.limit:g} from {usual:.3g} on average",
        where=Where(place=clip.place),
        evidence={"limit": clip.limit, "median_norm": usual, "norms": list(clip.norms)}
        | ({} if ratio is None else {"median_update_ratio": ratio, "usual_update_ratio": 1e-3}),
        severity=NOTE if ratio is None else None,
        impact=None if ratio is None else f"steps are {usual / clip.limit:.0f} times shorter; the loss hardly falls",
        fix="set the limit near the upper end of the norms, or lower the rate instead",
    )
