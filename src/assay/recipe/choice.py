"""A choice: a value of the recipe with its status, why it was chosen, and where it was copied from."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.recipe.nearest import did_you_mean
from assay.recipe.problem import Problem
from assay.recipe.yaml_tree import Tree


class Status(enum.StrEnum):
    """How well a choice is founded."""

    JUSTIFIED = "justified"
    COPIED = "copied"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What the recipe says about one of its values; a justified one has a why, a copied one a source."""

    status: Status = Status.UNCERTAIN
    why: str | None = None
    source: str | None = None


KEYS = ("value", "status", "why", "source")


def take_choices(tree: Tree) -> dict[str, Choice]:
    """Replace every `{value, status, why, source}` in the tree by its value, and give the choices by their paths.

    Lines move with the values. What is wrong with a choice is added to the tree's problems.
    """
    taken: dict[str, Choice] = {}
    tree.value = _taken(tree.value, "", tree, taken)
    return taken


def _taken(value: Any, path: str, tree: Tree, taken: dict[str, Choice]) -> Any:
    if isinstance(value, list):
        return [_taken(item, _joined(path, str(index)), tree, taken) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    if not _is_choice(value, path):
        return {key: _taken(item, _joined(path, key), tree, taken) for key, item in value.items()}
    faults = list(_faults(value, path))
    tree.problems += [Problem(path, fault, tree.lines.get(path)) for fault in faults]
    if not faults:
        taken[path] = Choice(
            status=Status(value.get("status", Status.UNCERTAIN)), why=value.get("why"), source=value.get("source")
        )
    _lift_lines(tree.lines, path)
    return _taken(value.get("value"), path, tree, taken)


def _is_choice(value: dict[str, Any], path: str) -> bool:
    if not path or not value:
        return False
    if "init_args" in path.split("."):  # an argument may well be a mapping with a key named value
        return "value" in value and "status" in value and set(value) <= set(KEYS)
    return "value" in value or ("status" in value and set(value) <= set(KEYS))  # a data block may be just its source


def _faults(value: dict[str, Any], path: str) -> Iterator[str]:
    for key in value:
        if key not in KEYS:
            yield f"the choice {path} has no key {key!r}{did_you_mean(key, KEYS)}"
    if "value" not in value:
        yield f"the choice {path} has no value; add `value:`"
    status = value.get("status", "uncertain")
    if status not in list(Status):
        yield f"the status of {path} is {status!r}{did_you_mean(str(status), list(Status))}"
    for key in ("why", "source"):
        if key in value and not (isinstance(value[key], str) and value[key].strip()):
            yield f"the {key} of {path} must be a few words, got {value[key]!r}"
    if status == "justified" and "why" not in value:
        yield f"{path} is called justified and gives no reason; add `why:`, or call it uncertain"
    if status == "copied" and "source" not in value:
        yield f"{path} is called copied and gives no source; add `source:`, or call it uncertain"


def _lift_lines(lines: dict[str, int], path: str) -> None:
    """The lines below `path.value` become those below `path`."""
    inner = f"{path}.value"
    below = {key: line for key, line in lines.items() if key == inner or key.startswith(f"{inner}.")}
    for key in [key for key in lines if key.startswith(f"{path}.")]:
        del lines[key]
    lines.update({path + key[len(inner):]: line for key, line in below.items()})


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
