"""Values from the command line in place of a recipe's: `--set training.learning_rate=3e-3`."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from assay.recipe.checks import check
from assay.recipe.origin import Origin
from assay.recipe.problem import Problem, recipe_error
from assay.recipe.reading import RecipeDocument, line_of
from assay.recipe.validation import validate
from assay.recipe.yaml_tree import plain_value


def override(document: RecipeDocument, settings: Sequence[str]) -> RecipeDocument:
    """The document with each `path=value` in place; the value is read as YAML.

    Raises RecipeError with every problem, those of a setting under its own name.
    """
    values = deepcopy(dict(document.values))
    problems: list[Problem] = []
    paths = []
    for setting in settings:
        try:
            paths.append(_put(values, setting))
        except ValueError as fault:
            problems.append(Problem(f"--set {setting}", str(fault)))
    validated = validate(values, lambda path: line_of(document.lines, path))
    found = [*validated.problems, *check(validated.recipe, unknown=validated.left_out)]
    problems += [_placed(problem, document, paths) for problem in found]
    if problems:
        raise recipe_error(document.name, problems)
    return replace(
        document, recipe=validated.recipe, values=values,
        choices={path: choice for path, choice in document.choices.items() if not _within(path, paths)},
        origins={**document.origins, **dict.fromkeys(_set_paths(values, paths), Origin.COMMAND_LINE)},
    )


def _put(values: dict[str, Any], setting: str) -> str:
    """Put one setting in place and give its path."""
    path, equals, text = setting.partition("=")
    path = path.strip()
    steps = path.split(".")
    if not equals or not all(steps):
        raise ValueError("this is no setting; write it as path=value, such as training.learning_rate=3e-3")
    section = values
    for step in steps[:-1]:
        inner = section.get(step)
        if inner is None:
            inner = section[step] = {}
        if not isinstance(inner, dict):
            raise ValueError(f"{step} is a value and holds no keys; set it as a whole")  # noqa: TRY004  # the user's
        section = inner
    section[steps[-1]] = plain_value(text)
    return path


def _placed(problem: Problem, document: RecipeDocument, paths: list[str]) -> Problem:
    """A problem at a setting is the command line's; any other stands in the file, or between the two."""
    for path in paths:
        if _within(problem.path, [path]) or (path.startswith(f"{problem.path}.") and problem.path != ""):
            return Problem(f"--set {path}", problem.sentence)
    return Problem(problem.path, problem.sentence, line_of(document.lines, problem.path))


def _within(path: str, paths: Sequence[str]) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in paths)


def _set_paths(values: dict[str, Any], paths: list[str]) -> list[str]:
    """The settings' paths, and those of all values within them."""
    return [inner for path in paths for inner in _below(_value_at(values, path), path)]


def _value_at(values: Any, path: str) -> Any:
    for step in path.split("."):
        values = values[step]
    return values


def _below(value: Any, path: str) -> list[str]:
    inner = [deep for key, item in value.items() for deep in _below(item, f"{path}.{key}")] \
        if isinstance(value, dict) else []
    return [path, *inner]
