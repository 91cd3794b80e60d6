"""Where a table's files lie, seen from another folder: a recipe that moves must name them anew."""

from __future__ import annotations

import os
from pathlib import Path

from assay.recipe.schema import Recipe, TableData


def rebased(recipe: Recipe, *, old: Path, new: Path) -> Recipe:
    """The same recipe for the folder `new`; absolute paths, and data that are no files, stay as they are."""
    data = recipe.data
    if not isinstance(data, TableData):
        return recipe

    def moved(name: str) -> str:
        return name if Path(name).is_absolute() else seen_from(new, old / name)

    update = {"files": tuple(moved(name) for name in data.files),
              "test_file": None if data.test_file is None else moved(data.test_file),
              "cache": None if data.cache is None else moved(data.cache)}
    return recipe.model_copy(update={"data": data.model_copy(update=update)})


def seen_from(folder: Path, path: Path) -> str:
    """A path relative to a folder, with slashes."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
