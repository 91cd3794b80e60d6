"""The same batch comes again and again while the data hold more.

## Why it hurts
The model learns one batch by heart. The training loss looks excellent, and everything else is never seen.

## What is looked at
Loaders that training reads: five iterations or more (as many as are looked at closely), begun by the program's own
code, each left after one batch that is the same every time (the first of a loader that doesn't shuffle, or equal in its
first rows), although a whole iteration has several. And streams (IterableDataset) read by several workers, each of
which gives every example: all rows of the first iteration come as often as there are workers, or a multiple of it.

## Remedy
Iterate over the loader, or make the iterator once, outside the loop. For a stream, let each worker take its share by
`get_worker_info()`.

## When it is wrong to worry
A batch fetched once and trained on, to see whether the model can memorise it, is declared by that; so are the limits of
a library's trainer. Both stay silent.

## References
PyTorch documentation, torch.utils.data.IterableDataset: replicas in each worker must be configured apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LoaderFacts, LoaderRecord
from assay.rule import WARNING, Finding, Verdict, Where, rule

TIMES = 5


@rule(severity=WARNING)
def same_batch(loaders: LoaderFacts) -> Iterator[Verdict]:
    """Look at how often iterations begin with the same batch and go no further."""
    for each in loaders.loaders:
        if _stuck(each):
            yield Finding(
                summary=f"every step trains on the same batch: only the first of {each.planned} is ever read",
                where=Where(place=each.iterations[-1].place),
                evidence={"iterations": each.begun, "batches_read_of_each": 1, "batches": each.planned},
                impact=f"{1 - 1 / (each.planned or 1):.0%} of the batches are never seen",
                fix="iterate over the loader, or make its iterator once, outside the loop",
            )
        if each.repeated is not None and each.repeated > 1:
            yield Finding(
                summary=f"each of the {each.workers} workers gives the whole stream: every example comes "
                f"{each.repeated} times an epoch",
                where=Where(place=each.place),
                evidence={"workers": each.workers, "times": each.repeated, "data_set": each.kind},
                fix="let each worker take its share: torch.utils.data.get_worker_info() in __iter__",
            )


def _stuck(loader: LoaderRecord) -> bool:
    if not loader.trains or loader.planned is None or loader.planned < 2:
        return False
    read = [each for each in loader.iterations if each.batches]
    left = all(each.batches == 1 and not each.ended and each.place is not None for each in read)
    return left and len(read) >= TIMES and (loader.order == "sequential" or all(each.alike for each in read))
