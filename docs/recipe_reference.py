"""Writes recipe.md, the reference of a recipe's keys, from the schema: `python docs/recipe_reference.py`."""

from __future__ import annotations

import inspect
import re
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic.fields import FieldInfo

from assay.recipe.schema import Recipe, Section

TARGET = Path(__file__).with_name("recipe.md")
WORDS = {int: "whole number", float: "number", bool: "true or false", str: "text", Any: "anything"}
SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
TABLE = "\n| key | value | default |\n| --- | --- | --- |\n"
NO_LIMIT = 1e9
"""Upper bounds beyond this keep products from overflowing, and are nothing that a person runs into."""

OPENING = """# The recipe

<!-- written by docs/recipe_reference.py -->

A recipe is one YAML file. It is read as a whole: every problem is told at once, each with its line and the nearest
right word. A key that isn't listed here is an error. `1e-3` is a number.

A choice is a plain value, or says how it was made:

```yaml
training:
  learning_rate: {value: 1e-3, status: uncertain, why: first default}
  batch_size: {value: 64, status: copied, source: the paper's appendix B}
  weight_decay: {value: 0.05, status: justified, why: best of five on validation}
```

`justified` needs `why`, `copied` needs `source`. A plain value counts as uncertain. `assay plan` lists the choices by
status, and where each value came from: default, recipe, command line, data, derived or tuned.

A default of – is filled in from the task and the data (`assay plan` shows with what), or left out.
"""


def reference() -> str:
    """The reference as Markdown."""
    parts = [OPENING]
    for section, path in _sections(Recipe, ""):
        parts.append(f"\n## {path or 'Top level'}\n\n{_described(section)}\n{TABLE}")
        parts += [f"| {name} | {_value(field)} | {_default(field)} |\n" for name, field in section.model_fields.items()]
    return "".join(parts)


def _sections(section: type[Section], path: str) -> list[tuple[type[Section], str]]:
    found = [(section, path)]
    for name, field in section.model_fields.items():
        for inner in _inner(field.annotation):
            found += _sections(inner, _path(path, name, inner))
    return found


def _path(path: str, name: str, section: type[Section]) -> str:
    own = " (a class of your own)" if "class_path" in section.model_fields else ""
    return f"{path}.{name}{own}".removeprefix(".")


def _inner(annotation: Any) -> list[type[Section]]:
    if inspect.isclass(annotation) and issubclass(annotation, Section):
        return [annotation]
    return [each for argument in typing.get_args(annotation) for each in _inner(argument)]


def _described(section: type[Section]) -> str:
    """The docstring, its indented lines on single keys as a list."""
    text = inspect.cleandoc(section.__doc__ or "").replace("`None`", "–").replace("None", "–")
    joined = re.sub(r"\n {8,}", " ", text)
    return re.sub(r"^(\w+) {2,}(.*)$", r"- `\1`: \2", joined, flags=re.MULTILINE)


def _value(field: FieldInfo) -> str:
    bounds = _bounds(field.metadata)
    return (_words(field.annotation) + bounds).replace("|", "\\|")


def _words(annotation: Any) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _words(arguments[0]) + _bounds(arguments[1:])
    if origin is Literal:
        return ", ".join(f"`{_yaml(argument)}`" for argument in arguments)
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_words(each) for each in arguments if each is not types.NoneType)
    if origin is tuple:
        return f"list of {_words(arguments[0])}"
    if origin is dict:
        return "mapping"
    if inspect.isclass(annotation) and issubclass(annotation, Section):
        return "a class of your own" if "class_path" in annotation.model_fields else "section"
    return WORDS[annotation]


def _bounds(metadata: typing.Sequence[Any]) -> str:
    marks = [mark for each in metadata for mark in getattr(each, "metadata", [each])]
    bounds = [(sign, getattr(mark, name, None)) for mark in marks for name, sign in SIGNS.items()]
    said = [f"{sign} {value:g}" for sign, value in bounds if value is not None and value < NO_LIMIT]
    return f" {', '.join(said)}" if said else ""


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    if field.default is None or field.default == () or field.default == {}:
        return "–" if field.default is None else "none"
    return "its keys' own" if isinstance(field.default, Section) else f"`{_yaml(field.default)}`"


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_yaml, value))}]"
    return str(value)


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
