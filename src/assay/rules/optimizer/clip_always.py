"""Clipping shrinks the gradients at every step: it has become the rate.

## Why it hurts
Where every step is clipped to the same length, the limit sets the length of each step, and the loss's own scale is
lost. Under plain descent the effective rate is the rate times the limit over the norm.

## What is looked at
The norms that clip_grad_norm_ met at the sampled steps, eight at least. All of them above the limit, and their median
above ten times it, is a note: the limit was meant for rare leaps.

## Remedy
Look at the norms and set the limit near their upper end, or lower the rate instead.

## When it is wrong to worry
Normalised-gradient methods and summed losses under Adam clip at every step and train well, which is why this is a note.

## References
Pascanu et al., On the difficulty of training recurrent neural networks, 2013, section 3.2: a limit from the average
norm over many updates.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from assay.facts.clipping import ClippingFacts
from assay.rule import NOTE, Finding, NotChecked, Verdict, Where, rule

LOOKS = 8
FACTOR = 10.0


@rule(severity=NOTE)
def clip_always(clipping: ClippingFacts) -> Iterator[Verdict]:
    """Compare the norms with the limit."""
    norms = [clip for clip in clipping.clips if len(clip.norms) >= LOOKS]
    if not norms:
        yield NotChecked(f"no clipping of norms was looked at {LOOKS} times")
    for clip in norms:
        usual = statistics.median(clip.norms)
        if min(clip.norms) > clip.limit and usual > FACTOR * clip.limit:
            yield Finding(
                summary=f"every step is clipped, to a norm of {clip.limit:g} from {usual:.3g} on average",
                where=Where(place=clip.place),
                evidence={"limit": clip.limit, "median_norm": usual, "norms": list(clip.norms)},
                fix="set the limit near the upper end of the norms, or lower the rate instead",
            )
