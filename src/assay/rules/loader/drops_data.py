"""A large share of the data is never seen.

## Why it hurts
The model is trained, or judged, on less than its author thinks. In evaluation the score is that of another set.

## What is looked at
A loader with `drop_last` whose data set is smaller than one batch: it hands out nothing. One that doesn't shuffle, so
that the same examples are left out each time, by `drop_last`, or because the program's own loop leaves every iteration
after the same number of batches. A tenth of the examples or more counts: it moves a score by more than its standard
error does on a thousand rows at 90 %.

## Remedy
Leave `drop_last` out where batches needn't be equal, and the limit out where it was for a trial.

## When it is wrong to worry
A loader that shuffles leaves out others each time; it stays silent unless nothing is left. The limits of a library's
trainer are settings. An evaluation that its loop cuts short is a note: a sample is often enough.

## References
PyTorch documentation, torch.utils.data.DataLoader, drop_last.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LoaderFacts, LoaderRecord
from assay.rule import NOTE, WARNING, Finding, Verdict, Where, rule

LARGE = 0.1
SEVERAL = 2


@rule(severity=WARNING)
def drops_data(loaders: LoaderFacts) -> Iterator[Verdict]:
    """Count the examples that whole iterations, and those that were left early, can't reach."""
    for each in loaders.loaders:
        if each.rows is None or each.planned is None or not each.begun:
            continue
        if each.rows and not each.planned:
            yield _dropped(each, each.rows)
        elif each.order == "sequential":
            yield from _left_out(each, each.rows, each.planned)


def _left_out(loader: LoaderRecord, rows: int, planned: int) -> Iterator[Verdict]:
    size = loader.batch_size or 1
    if loader.drop_last and rows - planned * size >= LARGE * rows:
        yield _dropped(loader, rows - planned * size)
    read = [each for each in loader.iterations if each.batches]
    reached = {each.batches for each in read}
    early = all(not each.ended and each.place is not None for each in read)
    batches = max(reached, default=0)
    if early and len(reached) == 1 and len(read) >= SEVERAL and 1 < batches <= (1 - LARGE) * planned:
        yield Finding(
            summary=f"only the first {batches} of {planned} batches are ever read: every iteration is left there",
            where=Where(place=read[0].place), severity=WARNING if loader.trains else NOTE,
            evidence={"batches_read": batches, "batches": planned, "iterations": loader.begun, "examples": rows},
            impact=f"{1 - batches / planned:.0%} of the examples are never seen",
            fix="go through the whole loader, or shuffle it, so that every example has its turn",
        )


def _dropped(loader: LoaderRecord, count: int) -> Finding:
    share = count / (loader.rows or 1)
    return Finding(
        summary=f"drop_last leaves out {count} of {loader.rows} examples in every iteration",
        where=Where(place=loader.place),
        evidence={"examples": loader.rows, "batch_size": loader.batch_size, "left_out": count},
        impact=f"{share:.0%} of the examples are never seen",
        fix="leave drop_last out, or take smaller batches",
    )
