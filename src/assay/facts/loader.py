"""Facts about data loaders: in which order, how often and how completely they hand out the examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

Order = Literal["sequential", "random", "other", "stream"]
"""Of the data set, drawn anew, by a sampler of another kind, or of an IterableDataset, which sets its own."""


MOST_ACCUMULATED = 64
"""Batches to a step; a loader whose batches are followed by fewer steps was read for something else."""


@dataclass(frozen=True, kw_only=True)
class Iteration:
    """One pass over a loader that was begun.

    batches     how many it handed out
    ended       whether it came to its end
    place       the user's line that began it, None where a library did (whose limits are settings)
    alike       whether its first batch was that of the loader's first iteration
    """

    batches: int
    ended: bool
    place: Place | None
    alike: bool


@dataclass(frozen=True, kw_only=True)
class Randomness:
    """What the code of a data set does with randomness, read from its functions, without running them.

    copied      names of random generators held by the data set (or its module) that reading an example draws from and
                that nothing seeds anew within a worker
    constant    streams ("numpy", "python", "torch") that worker_init_fn seeds alike in every worker and that reading an
                example draws from
    built       the line that changes each given example by chance while the data set is made, where reading draws
                nothing
    cached      the line that keeps a randomly changed example for the next time it is read
    """

    copied: tuple[str, ...] = ()
    constant: tuple[str, ...] = ()
    built: Place | None = None
    cached: Place | None = None


@dataclass(frozen=True, kw_only=True)
class LoaderRecord:
    """One DataLoader.

    place           the line that made it
    kind            the class of its data set
    rows            examples of its data set; None for a stream
    planned         batches of a whole iteration; None for a stream
    iterations      the first of those that were begun, in order; `begun` counts all
    trained         optimizer steps before which it handed out the latest batch
    workers         worker processes, 0 where the program loads by itself
    repeated        of the first iteration of a stream with several workers: how many of them gave each example;
                    1 where the workers share the stream, None where that was not seen
    waited, lasted  seconds that the program waited for batches, and seconds between its first and its last batch
    failure         what a worker that died or hung made the program raise
    failed_at       the user's line that waited for it
    """

    place: Place | None
    kind: str
    order: Order
    rows: int | None
    planned: int | None
    batch_size: int | None
    drop_last: bool
    workers: int
    begun: int
    iterations: tuple[Iteration, ...]
    trained: int
    randomness: Randomness
    repeated: int | None = None
    waited: float = 0.0
    lasted: float = 0.0
    failure: str | None = None
    failed_at: Place | None = None

    @property
    def trains(self) -> bool:
        """Whether its batches are trained on: now and then an optimizer step follows, as when gradients accumulate."""
        return self.trained > 1 and self.trained * MOST_ACCUMULATED >= sum(each.batches for each in self.iterations)


@dataclass(frozen=True, kw_only=True)
class LoaderFacts(Fact):
    """Every DataLoader that the program made or read, in the order in which they were first seen."""

    loaders: tuple[LoaderRecord, ...]


@dataclass(frozen=True, kw_only=True)
class LabelOrder:
    """The labels of consecutive training steps that one loss was given, over one pass over the data.

    place           where the order comes from: the line that makes the loader, else the loop around the loss
    loader          whether the labels are those of a DataLoader's batches
    steps           steps of one pass over the data; `passes` counts the passes seen in the same order
    labels          labels of one pass
    classes         distinct labels; None where the labels are measured numbers
    runs            stretches of equal labels, one behind the other
    shuffled_runs   as many would be expected of the same labels in random order
    together        how much likelier two labels of one step are alike than two of all labels: 0 where steps are mixed,
                    1 where each step has labels of one class alone; None where steps have one label
    monotone        whether measured numbers only rise or only fall over the whole pass
    """

    place: Place | None
    loader: bool
    steps: int
    passes: int
    labels: int
    classes: int | None
    runs: int
    shuffled_runs: float
    together: float | None
    monotone: bool


@dataclass(frozen=True, kw_only=True)
class LabelOrderFacts(Fact):
    """The order of the labels at the training losses that have one label an example."""

    orders: tuple[LabelOrder, ...]


@dataclass(frozen=True, kw_only=True)
class Reread:
    """Examples that a training loader returned in its first iteration and again in the second.

    place       the line that makes the loader
    compared    rows of the second iteration that are, bit for bit, inputs of the first
    rows        rows of the second iteration that were looked at
    whole       whether all rows of the first iteration were looked at
    labelled    compared rows whose labels went into a loss both times
    changed     those whose label was another one
    chance      the share that would change if labels were drawn without regard to the example
    """

    place: Place | None
    compared: int
    rows: int
    whole: bool
    labelled: int
    changed: int
    chance: float


@dataclass(frozen=True, kw_only=True)
class RereadFacts(Fact):
    """What training loaders return when they are read again."""

    reread: tuple[Reread, ...]
