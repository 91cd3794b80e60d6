"""From plain values to a typed recipe, with every problem in our own words and at its line."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from assay.recipe.nearest import did_you_mean
from assay.recipe.problem import Problem
from assay.recipe.schema import ClassPath, Recipe, Section

Path = tuple[str | int, ...]
Located = Callable[[Path], int | None]
"""The line of a path, or of the nearest one above it."""


@dataclass(frozen=True)
class Validated:
    """What the typed models make of plain values.

    recipe      what remains where the values that have problems are left out: later checks judge it, so that all
                problems come at once
    problems    none where `recipe` says everything that was said
    left_out    the dotted paths of the values that have problems
    """

    recipe: Recipe
    problems: tuple[Problem, ...]
    left_out: frozenset[str]


def validate(value: Any, line_of: Callable[[str], int | None]) -> Validated:
    """Validate a recipe's plain values.

    line_of     the line of a dotted path, or of the nearest one above it
    """
    if not isinstance(value, dict):
        what = "is empty" if value is None else f"is {_shown(value)}, not a mapping"
        problem = Problem("", f"the recipe {what}; it holds sections such as `training:`", line_of(""))
        return Validated(Recipe(), (problem,), frozenset())
    rest = deepcopy(value)
    problems: list[Problem] = []
    left_out: set[str] = set()
    while True:
        try:
            # JSON's strict mode takes lists as tuples, and neither text nor true as numbers
            return Validated(Recipe.model_validate_json(json.dumps(rest), strict=True), tuple(problems),
                             frozenset(left_out))
        except ValidationError as error:
            details = error.errors(include_url=False)
        problems += _problems(details, rest, line_of)
        for detail in details:
            left_out.add(_dotted(_leave_out(rest, _path(detail, rest), missing=detail["type"] == "missing")))


def _problems(
    details: list[ErrorDetails], tree: Any, line_of: Callable[[str], int | None]
) -> Iterator[Problem]:
    """One problem a path: where a value may take several forms, pydantic tells of each that it hasn't."""
    together: dict[Path, list[ErrorDetails]] = {}
    for detail in details:
        together.setdefault(_path(detail, tree), []).append(detail)
    for path, tried in together.items():
        sentence = _sentence(tried[0], path, tree) if len(tried) == 1 else _either(tried, path)
        yield Problem(_dotted(path), sentence, line_of(_dotted(path)))


def _either(tried: list[ErrorDetails], path: Path) -> str:
    forms = [_listed(detail) if detail["type"] == "literal_error" else _expected(detail["type"], detail.get("ctx", {}))
             for detail in tried]
    return f"{_dotted(path)} must be {' or '.join(dict.fromkeys(forms))}, got {_shown(tried[0]['input'])}"


def _path(detail: ErrorDetails, tree: Any) -> Path:
    """The error's place in the tree: pydantic's own without the names of the alternatives it tried."""
    path: list[str | int] = []
    node = tree
    for part in detail["loc"]:
        inside = part in node if isinstance(node, dict) else isinstance(part, int) and isinstance(node, list)
        if inside:
            path.append(part)
            node = node[part] if isinstance(node, dict) or int(part) < len(node) else None
    if detail["type"] == "missing":
        path.append(detail["loc"][-1])
    return tuple(path)


def _dotted(path: Iterable[str | int]) -> str:
    return ".".join(str(part) for part in path)


def _leave_out(tree: dict[str, Any], path: Path, *, missing: bool) -> Path:
    """Take the value at `path` out of the tree: a whole list for one of its items, a section for a missing key."""
    steps = list(path[:-1] if missing else path)
    while steps and (isinstance(steps[-1], int) or _parent(tree, steps) is None):
        steps.pop()
    if not steps:
        tree.clear()
        return ()
    parent = _parent(tree, steps)
    if parent is not None:
        parent.pop(str(steps[-1]), None)
    return tuple(steps)


def _parent(tree: Any, steps: list[str | int]) -> dict[str, Any] | None:
    node = tree
    for step in steps[:-1]:
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            return None
    return node if isinstance(node, dict) else None


def _sentence(detail: ErrorDetails, path: Path, tree: Any) -> str:
    name = _dotted(path)
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(path, tree)
    if kind == "missing":
        return f"{_dotted(path[:-1])} needs the key {path[-1]}"
    given = detail["input"]
    if kind == "literal_error":
        hint = did_you_mean(given, _words(detail)) if isinstance(given, str) else ""
        return f"{name} must be {_listed(detail)}, got {_shown(given)}{hint if 'mean' in hint else ''}"
    if given is None and kind in ("model_type", "model_attributes_type", "dict_type"):
        return f"{name} is empty; give it keys, or leave it out"
    return f"{name} must be {_expected(kind, context)}, got {_shown(given)}{_form(kind, path, tree, given)}"


def _form(kind: str, path: Path, tree: Any, given: Any) -> str:
    """How the given value would be written in the form that is needed, where it is a plain one."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return ""
    if kind in ("tuple_type", "list_type"):
        return f"; write [{given}]"
    if kind in ("model_type", "model_attributes_type") and len(path) > 1:
        field = _section_at(path[:-1], tree).model_fields.get(str(path[-1]))
        section = next(iter(_sections(field.annotation)), None) if field else None
        first = next(iter(section.model_fields), None) if section else None
        if section and first and _fits(section, {first: given}):
            return f"; write {{{first}: {given}}}"
    return ""


def _fits(section: type[Section], values: dict[str, Any]) -> bool:
    try:
        section.model_validate(values)
    except ValidationError:
        return False
    return True


def _words(detail: ErrorDetails) -> list[str]:
    """The words that a literal allows."""
    words = [word.strip("'") for word in str(detail["ctx"]["expected"]).replace(" or ", ", ").split(", ")]
    return [word.lower() if word in ("True", "False") else word for word in words]


def _listed(detail: ErrorDetails) -> str:
    words = _words(detail)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


_LIMITS = {"greater_than": ("gt", "greater than"), "greater_than_equal": ("ge", "at least"),
           "less_than": ("lt", "less than"), "less_than_equal": ("le", "at most")}
_EXPECTED = {
    "int_type": "a whole number", "int_from_float": "a whole number", "int_parsing_size": "a smaller whole number",
    "float_type": "a number", "finite_number": "a finite number",
    "bool_type": "true or false", "string_type": "text", "tuple_type": "a list", "list_type": "a list",
    "dict_type": "a mapping of keys", "model_type": "a mapping of keys", "model_attributes_type": "a mapping of keys",
    "string_pattern_mismatch": "the dotted path of a class, such as package.module.Class",
    "too_short": "a list of at least one",
}


def _expected(kind: str, context: dict[str, Any]) -> str:
    if kind in _LIMITS:
        key, words = _LIMITS[kind]
        return f"{words} {context[key]:g}"
    return _EXPECTED.get(kind, f"of another form ({kind.replace('_', ' ')})")


def _unknown_key(path: Path, tree: Any) -> str:
    key, parent = str(path[-1]), path[:-1]
    known = list(_section_at(parent, tree).model_fields)
    where = _dotted(parent) or "the recipe"
    hint = did_you_mean(key, known)
    if "mean" not in hint:
        homes = [name for name, field in Recipe.model_fields.items()
                 for section in _sections(field.annotation) if key in section.model_fields]
        hint = f"; it belongs under {homes[0]}" if homes and homes[0] != where else hint
    return f"{where} has no key {key!r}{hint}"


def _section_at(path: Path, tree: Any) -> type[BaseModel]:
    section: type[BaseModel] = Recipe
    node = tree
    for part in path:
        node = node[part]
        if isinstance(part, int):
            continue
        options = _sections(section.model_fields[part].annotation)
        own = isinstance(node, dict) and "class_path" in node and ClassPath in options
        section = ClassPath if own else options[0]
    return section


def _sections(annotation: Any) -> list[type[Section]]:
    """The sections that an annotation mentions, in its order."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return [annotation]
    return [section for inner in typing.get_args(annotation) for section in _sections(inner)]


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
