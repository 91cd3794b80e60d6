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
    taking = _Taking(tree)
    value = taking.taken(tree.value, "", "")
    tree.value, tree.lines = value, taking.lines
    return taking.choices


class _Taking:
    """One pass over a tree. `path` is a value's place without the wrapping of choices, `at` where it stands."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.choices: dict[str, Choice] = {}
        self.lines: dict[str, int] = {}

    def taken(self, value: Any, path: str, at: str) -> Any:
        """The value without wrappings."""
        if at in self._tree.lines:
            self.lines[path] = self._tree.lines[at]
        if isinstance(value, list):
            return [self._inner(item, path, at, key=str(index)) for index, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if not _is_choice(value, path):
            return {key: self._inner(item, path, at, key=key) for key, item in value.items()}
        faults = list(_faults(value, path))
        self._tree.problems += [Problem(path, fault, self._tree.lines.get(at)) for fault in faults]
        if not faults:
            self.choices[path] = Choice(
                status=Status(value.get("status", Status.UNCERTAIN)), why=value.get("why"), source=value.get("source")
            )
        return self.taken(value.get("value"), path, _joined(at, "value"))

    def _inner(self, value: Any, path: str, at: str, *, key: str) -> Any:
        return self.taken(value, _joined(path, key), _joined(at, key))


def _is_choice(value: dict[str, Any], path: str) -> bool:
    if not path or not value or path == "data.inputs":  # a column may well be named value or status
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


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
