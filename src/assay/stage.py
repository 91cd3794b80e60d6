"""A stage asks one question of an experiment, measures the answer as facts, and leaves the verdict to the gate."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.recipe.schema import Recipe
from assay.training.assembly import Assembly


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a stage is: `done` of `total` units of work, and one line on what it is doing."""

    done: int
    total: int
    doing: str


Report = Callable[[Progress], None]


def _tell_nobody(progress: Progress) -> None:
    """Stands in where nobody watches."""


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What a stage stands on.

    recipe      as resolved
    assembly    the experiment, ready to be trained
    folder      the run's folder, that holds this stage's and every other stage's
    earlier     the facts of the stages below
    report      where to say how far it is
    dataset     the table as read, and `split` its rows; None for people's own data modules
    """

    recipe: Recipe
    assembly: Assembly
    folder: Path
    earlier: FactSet = field(default_factory=FactSet)
    report: Report = _tell_nobody
    dataset: Dataset | None = None
    split: Split | None = None


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a stage found out.

    facts       for the rules
    evidence    one line with the numbers that answer the question
    result      the stage's own payload for the JSON document and the report
    """

    facts: FactSet
    evidence: str
    result: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A rung of the ladder; `page` is the docstring of the file that holds it."""

    name: str
    question: str
    measure: Callable[[Ground], Measured]
    page: str


def stage(question: str) -> Callable[[Callable[[Ground], Measured]], Stage]:
    """Make a stage of a function; its name is the file's, its page the file's docstring."""

    def made(measure: Callable[[Ground], Measured]) -> Stage:
        page = sys.modules[measure.__module__].__doc__ or ""
        return Stage(name=measure.__module__.rpartition(".")[2], question=question, measure=measure, page=page)

    return made
