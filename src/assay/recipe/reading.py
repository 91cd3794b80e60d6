"""Reading a recipe: every problem at once, or a typed document that knows where each of its values stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.recipe.checks import check
from assay.recipe.choice import Choice, take_choices
from assay.recipe.origin import Origin
from assay.recipe.problem import Problem, recipe_error
from assay.recipe.recipe_text import read_text
from assay.recipe.schema import Recipe
from assay.recipe.validation import validate
from assay.recipe.yaml_tree import parse_yaml


@dataclass(frozen=True, kw_only=True)
class RecipeDocument:
    """A recipe as written, typed; sections that it leaves open are still None.

    choices     status, why and source of the values that state them, by dotted path
    origins     where every value that it states came from
    lines       the line of every value, from 1
    values      the plain values, without the choices' wrapping
    """

    name: str
    text: str
    recipe: Recipe
    choices: Mapping[str, Choice]
    origins: Mapping[str, Origin]
    lines: Mapping[str, int]
    values: Mapping[str, Any]


def read_recipe(path: Path) -> RecipeDocument:
    """Read a recipe's file.

    Raises RecipeError with all problems, each with its line and the nearest right word.
    """
    return parse_recipe(read_text(path), name=str(path))


def parse_recipe(text: str, *, name: str = "recipe") -> RecipeDocument:
    """Read a recipe from its text; `name` stands in front of the problems.

    Raises RecipeError as `read_recipe` does.
    """
    tree = parse_yaml(text)
    unreadable = tree.value is None and tree.problems
    choices = take_choices(tree)
    lines = tree.lines
    if unreadable:
        raise recipe_error(name, tree.problems)
    validated = validate(tree.value, lambda path: line_of(lines, path))
    problems = [*tree.problems, *validated.problems]
    refused = {problem.path for problem in tree.problems}
    faults = check(validated.recipe, unknown=validated.left_out | refused)
    problems += [Problem(fault.path, fault.sentence, line_of(lines, fault.path)) for fault in faults]
    if problems:
        raise recipe_error(name, _first_only(problems))
    stated = {path: Origin.RECIPE for path in lines if path}
    return RecipeDocument(
        name=name, text=text, recipe=validated.recipe, choices=choices, origins=stated, lines=lines,
        values=tree.value,
    )


def line_of(lines: Mapping[str, int], path: str) -> int | None:
    """The line of a dotted path, or of the nearest one above it that has one."""
    while path and path not in lines:
        path = path.rpartition(".")[0]
    return lines.get(path)


def _first_only(problems: list[Problem]) -> list[Problem]:
    """One problem a path: a tag that is refused leaves an empty value, which isn't worth a second sentence."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    return [problem for problem in problems if not problem.path or first[problem.path] is problem
            or problem.sentence.startswith(("the choice", "the status"))]
