"""A run and its folder: start one from a recipe, or go on with one that exists.

`run("recipe.yaml")` makes runs/recipe-001 and climbs; `run("runs/recipe-001")` goes on where that one stood.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import RunFolderError
from assay.experiment import Experiment, importable, open_experiment
from assay.ladder import Climb, Display, Outcome, climb, stage_named
from assay.ledger import Ledger, write_document
from assay.recipe.plan import plan
from assay.recipe.reading import read_recipe
from assay.recipe.rendering import render_markdown, render_yaml
from assay.recipe.resolving import resolve
from assay.recipe.schema import DataBlock
from assay.recipe.table_files import rebased
from assay.record import gather_record, write_record
from assay.reopening import RECIPE, reopened
from assay.rules import known
from assay.run_folder import LEDGER, locked, new_run_folder
from assay.signature import signature_of, write_signature
from assay.stage import Ground, Progress
from assay.training.threads import limited_to, threads_for

LAST_STAGE = "seeds"


class Silent:
    """A display that shows nothing."""

    def opened(self, folder: Path) -> None:
        """Show nothing."""

    def started(self, stage: str, question: str) -> None:
        """Show nothing."""

    def progressed(self, stage: str, progress: Progress) -> None:
        """Show nothing."""

    def ended(self, outcome: Outcome) -> None:
        """Show nothing."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the user asked of a run.

    to          the stage to climb to
    waivers     stages whose failed gate doesn't stop it, with the reason
    allow       rules whose findings are set aside, beside the recipe's own
    """

    to: str = LAST_STAGE
    waivers: Mapping[str, str] = field(default_factory=dict)
    allow: Sequence[str] = ()


def run(
    target: str | Path, *, asked: Asked | None = None, runs: str | Path = "runs", overrides: Sequence[str] = (),
    display: Display | None = None,
) -> Climb:
    """Climb the ladder with a recipe, in a new folder below `runs`, or go on with the run in the folder `target`.

    overrides   `path=value` in place of a recipe's values; a run that exists takes none

    Raises UnusableInput of some kind: RecipeError, DataError, RunFolderError, UserCodeError, MissingExtra.
    """
    asked = asked or Asked()
    for name in (asked.to, *asked.waivers):
        stage_named(name)
    known(asked.allow)
    opened = _existing(Path(target), overrides) if Path(target).is_dir() else _new(Path(target), Path(runs), overrides)
    with opened as (folder, experiment), locked(folder):
        display = display or Silent()
        display.opened(folder)
        return _climb(folder, experiment, asked, display)


@contextmanager
def _new(path: Path, runs: Path, overrides: Sequence[str]) -> Iterator[tuple[Path, Experiment]]:
    """A new run's folder with its recipe, record and first entry; nothing is made where the recipe can't be used."""
    resolved = resolve(read_recipe(path), overrides=overrides)
    known(resolved.recipe.allow)
    with importable(path.parent):
        experiment = open_experiment(resolved, folder=path.parent)
        folder = new_run_folder(runs, path.stem)
        kept = rebased(experiment.resolved.recipe, old=path.parent, new=folder)
        text = render_yaml(kept, experiment.resolved.choices, heading=f"as resolved from {path}")
        write_document(folder / RECIPE, text)
        write_document(folder / "recipe.md", render_markdown(plan(experiment.resolved)))
        record = gather_record(
            recipe=_digest(text), data=experiment.fingerprint, seeds=experiment.resolved.recipe.seeds, command=sys.argv,
        )
        write_record(folder, record)
        Ledger(folder / LEDGER).append(
            "started", recipe=text, digest=_digest(text), fingerprint=experiment.fingerprint,
            imports_from=str(path.parent.resolve()), signature=_signed(folder, experiment),
            origins={name: str(origin) for name, origin in experiment.resolved.origins.items()},
        )
        yield folder, experiment


@contextmanager
def _existing(folder: Path, overrides: Sequence[str]) -> Iterator[tuple[Path, Experiment]]:
    """The run in this folder, if its recipe and its data are still what they were."""
    with reopened(folder) as experiment:
        if overrides:
            raise RunFolderError(f"{folder} was started with its own recipe: start a new run to set {overrides[0]}.")
        yield folder, experiment


def _climb(folder: Path, experiment: Experiment, asked: Asked, display: Display) -> Climb:
    recipe = experiment.resolved.recipe
    ground = Ground(
        recipe=recipe, assembly=experiment.assembly, folder=folder, dataset=experiment.dataset,
        split=experiment.split,
    )
    allow = known((*recipe.allow, *asked.allow))
    with limited_to(threads_for(recipe, experiment.assembly)):
        return climb(ground, to=asked.to, waivers=asked.waivers, allow=allow, display=display)


def _signed(folder: Path, experiment: Experiment) -> str | None:
    """Keep what using the model will need; None for people's own data modules, which keep that to themselves."""
    data = experiment.resolved.recipe.data
    if experiment.dataset is None or experiment.preprocessing is None or not isinstance(data, DataBlock):
        return None
    return write_signature(folder, signature_of(experiment.dataset, experiment.preprocessing, data))


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
