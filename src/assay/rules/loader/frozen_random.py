"""A random change of the examples is drawn once and then reused in every epoch.

## Why it hurts
Augmentation helps because each epoch shows another version of an example. Drawn once, it is a fixed distortion: the
model learns it by heart like any other data, and the training loss goes to zero while validation stays behind.

## What is looked at
The code of a training loader's data set, read twice or more. Either its constructor goes through the examples it is
given, one by one, and keeps what a function that draws random numbers makes of each, while reading an example draws
nothing. Or reading draws, and keeps the result for the next time (a dictionary, an lru_cache). Where inputs were
compared between the first two epochs, they must be the same, bit for bit: nearly all (nine in ten) for a cache that
draws, and half for a constructor, whose code says so already.

## Remedy
Keep the examples as they are and draw in `__getitem__`, after the cache.

## When it is wrong to worry
Data sets that make their examples, split or choose at random, add noise to labels, keep the clean example as well (a
denoiser's target), or seed by index stay silent; so do data sets that are only evaluated.

## References
Shorten and Khoshgoftaar (2019), A survey on image data augmentation, on online against offline augmentation. Reported:
github.com/chaosparrot/parrot.py/issues/14.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Place
from assay.facts.loader import LoaderFacts, LoaderRecord, Reread, RereadFacts
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

EPOCHS = 2
NEARLY_ALL = 0.9
HALF = 0.5


@rule(severity=WARNING)
def frozen_random(loaders: LoaderFacts, rereads: RereadFacts | None) -> Iterator[Verdict]:
    """Look at what training data sets draw, and when."""
    training = [each for each in loaders.loaders if each.trains and each.begun >= EPOCHS]
    if not training:
        yield NotApplicable("no loader was read twice in training")
    compared = {each.place: each for each in rereads.reread} if rereads else {}
    for each in training:
        again = compared.get(each.place)
        if each.randomness.built is not None and (again is None or not _differs(again)):
            yield _finding(each, again, each.randomness.built, "is made", "draw in __getitem__ instead")
        elif each.randomness.cached is not None and again is not None and _same(again):
            yield _finding(each, again, each.randomness.cached, "is first read", "keep the clean example; draw after")


def _differs(again: Reread) -> bool:
    return again.whole and again.compared < HALF * again.rows


def _same(again: Reread) -> bool:
    return again.whole and again.compared >= NEARLY_ALL * again.rows


def _finding(loader: LoaderRecord, again: Reread | None, place: Place, when: str, fix: str) -> Finding:
    evidence: dict[str, object] = {"data_set": loader.kind, "epochs": loader.begun}
    if again is not None:
        evidence |= {"rows_compared": again.rows, "rows_unchanged": again.compared}
    return Finding(
        summary=f"each example is changed by chance once, when {loader.kind} {when}, and reused so in every epoch",
        where=Where(place=place), evidence=evidence,
        impact="the augmentation is a fixed distortion that is learnt by heart", fix=fix,
    )
