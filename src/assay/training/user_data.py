"""The data of people's own experiment: their data module, or the recipe's examples in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.dataset import Prepared
from assay.recipe.schema import ClassPath, Recipe
from assay.training.assembly import Batch, Start
from assay.training.batches import Batches, EpochOrder, batch_sizes, tensors, training_batches, validation_batches
from assay.training.random_streams import seeded
from assay.training.user_code import failures_told, made


@dataclass(frozen=True, kw_only=True)
class UserData:
    """One of the two holds the examples.

    data_class      a data module's class; it is made with the recipe's init_args whenever batches are asked for
    prepared        the recipe's own examples
    """

    recipe: Recipe
    data_class: type | None
    prepared: Prepared | None

    @cached_property
    def batch_size(self) -> int:
        """Examples in one training batch: the loader's, or the recipe's where the loader has no fixed size."""
        size = None if self.prepared else getattr(self._loader("train_dataloader"), "batch_size", None)
        return size or self.recipe.training.batch_size

    def training_batches(self, seed: int, *, rows: int | None = None) -> Iterable[Batch]:
        """One epoch's training batches in the order that `seed` gives."""
        if self.prepared is not None:
            return self._in_memory(self.prepared, seed, rows=rows)
        return _first(self._loader("train_dataloader"), seed, limit=self._limit(rows))

    def validation_batches(self, *, rows: int | None = None) -> Iterable[Batch]:
        """The validation batches."""
        if self.prepared is not None:
            return validation_batches(*tensors(self.prepared.validation, rows=rows))
        return _first(self._loader("val_dataloader"), 0, limit=self._limit(rows))

    def test_batches(self) -> Iterable[Batch] | None:
        """The test batches of a data module that has some of its own; None where there is none."""
        if self.data_class is None or not any("test_dataloader" in vars(kind) for kind in _own(self.data_class)):
            return None
        return _first(self._loader("test_dataloader", "test"), 0, limit=None)

    def for_trainer(self, start: Start, *, epoch: int) -> dict[str, Any]:
        """What Trainer.fit takes of the data, for training to start from this epoch."""
        if self.prepared is None:
            return {"datamodule": self._data_module()}
        workers = start.recipe.training.num_workers
        loader = self._in_memory(
            self.prepared, start.seed, rows=start.limits.rows, epoch=epoch, num_workers=workers,
        )
        return {
            "train_dataloaders": loader, "val_dataloaders": validation_batches(*tensors(self.prepared.validation)),
        }

    def batches_per_epoch(self, rows: int | None) -> int | None:
        """Training batches of one epoch over the first `rows` examples; None where the data have no length."""
        limit = self._limit(rows)
        if self.prepared is not None:
            whole = math.ceil(len(self.prepared.train) / self.batch_size)
        else:
            try:
                whole = len(self._loader("train_dataloader"))
            except TypeError:  # an iterable data set
                return limit
        return whole if limit is None else min(whole, limit)

    def _limit(self, rows: int | None) -> int | None:
        return None if rows is None else math.ceil(rows / self.batch_size)

    def _in_memory(
        self, prepared: Prepared, seed: int, *, rows: int | None = None, epoch: int = 0, num_workers: int = 0,
    ) -> Batches:
        x, y = tensors(prepared.train, rows=rows)
        order = EpochOrder(len(x), batch_sizes(len(x), batch_size=self.recipe.training.batch_size), seed=seed)
        order.set_epoch(epoch)
        return training_batches(x, y, order=order, num_workers=num_workers)

    def _data_module(self) -> Any:
        plan = self.recipe.data
        assert isinstance(plan, ClassPath)
        assert self.data_class is not None
        return made(self.data_class, plan, key="data")

    def _loader(self, name: str, stage: str = "fit") -> Any:
        module = self._data_module()
        with failures_told(f"{type(module).__name__}.{name}"):
            module.prepare_data()
            module.setup(stage)
            return getattr(module, name)()


def _own(kind: type) -> Iterator[type]:
    """The class and those that it builds on, without Lightning's."""
    return (each for each in kind.__mro__ if not each.__module__.startswith(("lightning.", "pytorch_lightning.")))


def _first(loader: Any, seed: int, *, limit: int | None) -> Iterator[Batch]:
    """The loader's first batches; the draws of its samplers start at `seed` and leave others' streams alone."""
    with seeded(seed):
        batches = iter(loader)
        first = list(itertools.islice(batches, 1))
    yield from itertools.islice(itertools.chain(first, batches), limit)
