"""A problem of a recipe, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.errors import RecipeError


@dataclass(frozen=True)
class Problem:
    """One sentence on what is wrong at `path` (dotted, empty for the whole recipe).

    `line` counts from 1 and is None where the text isn't to blame.
    """

    path: str
    sentence: str
    line: int | None = None


def recipe_error(name: str, problems: Iterable[Problem]) -> RecipeError:
    """All problems as one error, in the order of their lines, none twice; `name` is the file as the user wrote it."""
    ordered = sorted(problems, key=lambda problem: (problem.line is not None, problem.line or 0))
    return RecipeError(list(dict.fromkeys(_sentence(name, problem) for problem in ordered)))


def _sentence(name: str, problem: Problem) -> str:
    if problem.path.startswith("--"):  # an override, which stands in no line
        return f"{problem.path}: {problem.sentence}"
    return f"{name}, line {problem.line}: {problem.sentence}" if problem.line else f"{name}: {problem.sentence}"
