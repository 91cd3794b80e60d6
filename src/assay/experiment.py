"""From a resolved recipe to an experiment that can be trained: data read, split and prepared, classes imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.dataset import Dataset, Split
from assay.errors import RecipeError
from assay.preparation import (
    Preprocessing,
    describe,
    fit_preprocessing,
    identical_rows_of,
    prepared_with,
    split,
)
from assay.recipe.resolving import Resolved, with_data
from assay.recipe.schema import DataBlock
from assay.recipe.task import task_of
from assay.sources import load
from assay.training.assembling import assemble
from assay.training.assembly import Assembly


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What a recipe asks for, ready to be trained.

    resolved            the recipe with everything filled in, from the data too
    dataset, split      the table and its rows; None for people's own data modules
    preprocessing       how its rows enter the network, as fitted on the training rows; None for these too
    """

    resolved: Resolved
    assembly: Assembly
    dataset: Dataset | None
    split: Split | None
    preprocessing: Preprocessing | None = None

    @property
    def fingerprint(self) -> str | None:
        """The data's fingerprint, None for people's own data modules."""
        return None if self.dataset is None else self.dataset.fingerprint()


def open_experiment(resolved: Resolved, *, folder: Path | None = None) -> Experiment:
    """Read the data, fill in what the recipe leaves to them, and make what the stages train.

    folder      what a table's relative paths are relative to: the recipe's own folder

    Raises RecipeError, DataError; UserCodeError where people's own classes can't be imported or made.
    """
    data = resolved.recipe.data
    if data is None:
        needed = "add one, such as `data: {source: sklearn, name: digits}`."
        raise RecipeError([f"{resolved.name}: there is no `data:` section: {needed}"])
    if not isinstance(data, DataBlock):
        assembly = assemble(resolved.recipe, None)
        return Experiment(resolved=resolved, assembly=assembly, dataset=None, split=None)
    dataset = load(data, folder=folder, task=task_of(resolved.recipe))
    identical = identical_rows_of(data)
    filled = with_data(
        resolved, describe(dataset, source=data.source, plan=data.split, identical_rows=identical)
    )
    block = filled.recipe.data
    assert isinstance(block, DataBlock)
    rows = split(dataset, block.split, identical_rows=identical)
    fitted = fit_preprocessing(dataset, rows, block)
    assembly = assemble(filled.recipe, prepared_with(fitted, dataset, rows))
    return Experiment(resolved=filled, assembly=assembly, dataset=dataset, split=rows, preprocessing=fitted)


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Put a recipe's folder on the import path, as Python does with a script's, for its `class_path`s."""
    entry = str(folder.resolve())
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        if entry in sys.path:
            sys.path.remove(entry)
