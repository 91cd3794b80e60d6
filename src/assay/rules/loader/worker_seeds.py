"""Loader workers draw the same random numbers.

## Why it hurts
Each worker process begins with a copy of the data set. A random generator that the data set holds is copied with it, in
the same state: the augmentations of one worker's batch are those of the next worker's, and, since workers are started
anew, each epoch repeats them. There is less variety than it seems, and no error.

## What is looked at
Before the workers start: a living generator (numpy's Generator or RandomState, random.Random, torch.Generator) in the
data set, its transforms or its module, which the code that reads an example mentions and draws from, with two workers
or more. And a worker_init_fn that seeds a global stream with the same number in every worker, where reading an example
draws from that stream. Code is read, nothing runs.

## Remedy
Give each worker its own: `worker_init_fn` sets `get_worker_info().dataset.rng = np.random.default_rng(info.seed)`. Or
draw from a generator made of (seed, epoch, index).

## When it is wrong to worry
The global streams of Python, NumPy and PyTorch are seeded apart in each worker by PyTorch (NumPy's since 1.9). Code
that asks which worker it is (get_worker_info, getpid, torch.initial_seed), seeds anew or makes its generator as it
reads stays silent; so does a worker_init_fn that reaches the data set.

## References
PyTorch documentation, Randomness in multi-process data loading. Reported: github.com/xingyizhou/CenterNet/issues/233.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LoaderFacts, LoaderRecord
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

SEVERAL = 2
CALLED = {"numpy": "np.random", "python": "random", "torch": "torch"}


@rule(severity=WARNING)
def worker_seeds(loaders: LoaderFacts) -> Iterator[Verdict]:
    """Look at loaders with several workers."""
    several = [each for each in loaders.loaders if each.workers >= SEVERAL]
    if not several:
        yield NotApplicable("no loader has several workers")
    for each in several:
        if each.randomness.copied:
            yield _copied(each)
        elif each.randomness.constant:
            yield _constant(each)


def _copied(loader: LoaderRecord) -> Finding:
    names = ", ".join(loader.randomness.copied)
    return Finding(
        summary=f"all {loader.workers} workers draw the same numbers: each gets a copy of {loader.kind}'s {names}",
        where=Where(place=loader.place),
        evidence={"generators": list(loader.randomness.copied), "workers": loader.workers, "data_set": loader.kind},
        impact="the workers' examples are changed alike, and each epoch repeats the one before",
        fix="give each worker its own in worker_init_fn, seeded with torch.utils.data.get_worker_info().seed",
    )


def _constant(loader: LoaderRecord) -> Finding:
    names = ", ".join(CALLED[each] for each in loader.randomness.constant)
    return Finding(
        summary=f"all {loader.workers} workers draw the same numbers: worker_init_fn seeds {names} alike in each",
        where=Where(place=loader.place),
        evidence={"streams": list(loader.randomness.constant), "workers": loader.workers, "data_set": loader.kind},
        impact="the workers' examples are changed alike, and each epoch repeats the one before",
        fix="leave worker_init_fn out (PyTorch seeds each worker), or seed with torch.initial_seed() % 2**32",
    )
