"""Opening the experiment of a run that exists, as it was when the run started."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import RunFolderError
from assay.experiment import Experiment, importable, open_experiment
from assay.ledger import Entry, Ledger
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import resolve
from assay.run_folder import open_run

RECIPE = "recipe.yaml"


@contextmanager
def reopened(folder: Path) -> Iterator[Experiment]:
    """The experiment of the run in this folder, if its recipe and its data are still what they were.

    Raises RunFolderError where they aren't, and what `open_experiment` raises.
    """
    started = start_of(open_run(folder), folder).payload
    _refuse_changed_recipe(folder, str(started["recipe"]))
    with importable(Path(started["imports_from"])):
        experiment = open_experiment(
            resolve(parse_recipe(started["recipe"], name=str(folder / RECIPE))), folder=folder,
        )
        if experiment.fingerprint != started["fingerprint"]:
            raise RunFolderError(
                f"The data of {folder} have changed since it started: start a new run, `assay run {folder / RECIPE}`.",
            )
        yield experiment


def start_of(ledger: Ledger, folder: Path) -> Entry:
    """The event with which the run started: it holds the recipe as resolved, and what the data were.

    Raises RunFolderError where there is none.
    """
    for entry in ledger.entries():
        if entry.event == "started":
            return entry
    raise RunFolderError(f"{folder} holds a run that stopped before it had a recipe: start a new one.")


def _refuse_changed_recipe(folder: Path, started_with: str) -> None:
    path = folder / RECIPE
    try:
        now = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise RunFolderError(f"{path} can't be read ({fault}): a run goes on with the recipe that it has.") from fault
    if now != started_with:
        lines = difflib.unified_diff(
            started_with.splitlines(), now.splitlines(), "as started", "as it is now", lineterm="", n=0,
        )
        raise RunFolderError(
            f"{path} was changed since the run started: undo the change, or start a new run with it.\n"
            + "\n".join(lines),
        )
