"""A loader worker died or hung.

## Why it hurts
The program fails with a message that names a process, not the example that ended it. Where it goes on, batches are
missing.

## What is looked at
The error that the loader raised: a worker that exited unexpectedly, or no batch within the loader's `timeout`.

## Remedy
Read with `num_workers=0` to see the error itself; look for memory (shared memory in containers), for locks and for
threads that were started before the workers were forked.

## When it is wrong to worry
Never: a loader that works raises no such error.

## References
PyTorch documentation, torch.utils.data, multi-process data loading.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LoaderFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def loader_stalled(loaders: LoaderFacts) -> Iterator[Verdict]:
    """Tell what loaders raised about their workers."""
    if not any(each.workers for each in loaders.loaders):
        yield NotApplicable("no loader has workers")
    for each in loaders.loaders:
        if each.failure is not None:
            yield Finding(
                summary=f"a worker of the loader over {each.kind} failed: {each.failure}",
                where=Where(place=each.failed_at or each.place),
                evidence={"workers": each.workers, "data_set": each.kind, "error": each.failure},
                fix="read with num_workers=0 to see the error of the example itself, then look at memory and locks",
            )
