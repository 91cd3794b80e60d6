"""Training waits for its data most of the time.

## Why it hurts
The model stands still while examples are read, decoded or augmented: a faster device or a smaller model changes
nothing.

## What is looked at
The time spent within the loader's `__next__`, against the time from its first batch to its last, of training loaders:
half of it or more, over at least half a second, since shorter programs mostly measure their own start.

## Remedy
Do once what doesn't change from epoch to epoch, make `__getitem__` cheaper, then try more workers.

## When it is wrong to worry
It is a note: a small model on any data set is bound by its loader, and machines differ.

## References
PyTorch tutorial, Performance tuning guide: enable asynchronous data loading.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LoaderFacts
from assay.rule import NOTE, Finding, Verdict, Where, rule

SHARE = 0.5
SECONDS = 0.5


@rule(severity=NOTE)
def loader_bound(loaders: LoaderFacts) -> Iterator[Verdict]:
    """Compare waiting with the whole time."""
    for each in loaders.loaders:
        if each.trains and each.waited >= SHARE * each.lasted and each.lasted >= SECONDS:
            yield Finding(
                summary=f"training waits for this loader {each.waited / each.lasted:.0%} of the time",
                where=Where(place=each.place),
                evidence={"waited_seconds": round(each.waited, 2), "whole_seconds": round(each.lasted, 2),
                          "workers": each.workers},
                fix="do once what doesn't change between epochs, make __getitem__ cheaper, then try more workers",
            )
