"""A recipe as text: YAML that reads back to the same recipe, and the Training Recipe as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic.fields import FieldInfo

from assay.recipe.choice import Choice, Status
from assay.recipe.plan import Plan, StatedChoice
from assay.recipe.schema import DataBlock, Recipe, Section, TableData
from assay.recipe.unused import unused
from assay.recipe.yaml_tree import plain_value

WIDEST = 118
"""Characters of a line, beyond which a choice or a section takes several."""


def render_yaml(recipe: Recipe, choices: Mapping[str, Choice], *, heading: str = "", stated_only: bool = False) -> str:
    """The recipe as YAML, choices with status and reason in place.

    heading         lines of comment on top
    stated_only     leave out what was not set when the recipe was made, so that a draft stays short

    Defaults that nothing in this recipe uses are left out.
    """
    writing = _Writing(recipe, choices, stated_only)
    lines = [f"# {_printable(line)}".rstrip() for line in heading.splitlines()]
    for name, value in writing.entries(recipe, ""):
        if lines and isinstance(value, Section):
            lines.append("")
        lines += writing.block(name, value, name)
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _Writing:
    """Values to YAML: sections as blocks, everything else on one line where it fits."""

    recipe: Recipe
    choices: Mapping[str, Choice]
    stated_only: bool

    def entries(self, section: Section, path: str) -> Iterator[tuple[str, Any]]:
        """The fields that are written: None is left out where it is the default anyway."""
        for name, field in _in_order(section):
            value, inner = getattr(section, name), f"{path}.{name}" if path else name
            if self.stated_only and name not in section.model_fields_set:
                continue
            idle = value is None or (unused(inner, self.recipe) and not self._chosen(inner))
            if value != field.default or not idle:
                yield name, value

    def _chosen(self, path: str) -> bool:
        return any(each == path or each.startswith(f"{path}.") for each in self.choices)

    def block(self, key: str, value: Any, path: str) -> list[str]:
        """`key: value` in as many lines as it takes."""
        line = f"{key}: {self.flow(value, path)}"
        if path in self.choices and len(line) > WIDEST:
            parts = [f"  value: {self.plain(value, path)}", *(f"  {part}" for part in _said(self.choices[path]))]
            return [f"{key}:", *parts]
        wide = self._chosen(path) or len(line) > WIDEST
        if isinstance(value, dict) and value and path not in self.choices and wide:
            lines = [each for name, item in value.items()
                     for each in self.block(_scalar(str(name)), item, f"{path}.{name}")]
            return [f"{key}:", *(f"  {each}" for each in lines)]
        entries = list(self.entries(value, path)) if isinstance(value, Section) else []
        if path in self.choices or not entries or ("." in path and not self._chosen(path) and len(line) <= WIDEST):
            return [line]
        inner = [each for name, item in entries for each in self.block(name, item, f"{path}.{name}")]
        return [f"{key}:", *(f"  {each}" for each in inner)]

    def flow(self, value: Any, path: str) -> str:
        """The value on one line, with its choice if it has one."""
        if path not in self.choices:
            return self.plain(value, path)
        return "{" + ", ".join([f"value: {self.plain(value, path)}", *_said(self.choices[path])]) + "}"

    def plain(self, value: Any, path: str) -> str:
        """The value on one line; choices within it are kept."""
        if isinstance(value, Section):
            return self._mapping(self.entries(value, path), path)
        if isinstance(value, dict):
            return self._mapping(value.items(), path)
        if isinstance(value, tuple | list):
            return "[" + ", ".join(self.flow(item, f"{path}.{index}") for index, item in enumerate(value)) + "]"
        return _scalar(value)

    def _mapping(self, pairs: Iterable[tuple[str, Any]], path: str) -> str:
        written = (f"{_scalar(str(key))}: {self.flow(item, f'{path}.{key}')}" for key, item in pairs)
        return "{" + ", ".join(written) + "}"


def _in_order(section: Section) -> Iterator[tuple[str, FieldInfo]]:
    """A section's fields; what a table's files are and hold comes before what was seen in them."""
    fields = type(section).model_fields
    own = [name for name in fields if isinstance(section, TableData) and name not in DataBlock.model_fields]
    first = [name for name in ("source", "name") if own]
    for name in [*first, *own, *(each for each in fields if each not in own and each not in first)]:
        yield name, fields[name]


def _said(choice: Choice) -> list[str]:
    said = {"status": str(choice.status), "why": choice.why, "source": choice.source}
    return [f"{key}: {_scalar(text)}" for key, text in said.items() if text is not None]


def _scalar(value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    plain = value.replace("_", "").replace(" ", "").replace("-", "").replace(".", "").isalnum() and value.isascii()
    if plain and value[0].isalpha() and value[-1] != " " and plain_value(f"[{value}]") == [value]:
        return value
    return '"' + "".join(_escaped(character) for character in value) + '"'


def _printable(line: str) -> str:
    """A comment's text; what YAML allows nowhere, such as a control character, becomes a question mark."""
    return "".join(character if character.isprintable() else "?" for character in line)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == " " or (character.isprintable() and character != "\ufeff"):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def render_markdown(plan: Plan) -> str:
    """The Training Recipe: nine sections, then the choices by status, what is missing, and warnings."""
    lines = [f"# Training Recipe: {_cell(plan.name)}", ""]
    for section in plan.sections:
        lines += [f"## {section.title}", ""]
        lines += [f"- **{_cell(line.name)}**: {_cell(line.value)}" + (f" ({_cell(line.note)})" if line.note else "")
                  for line in section.lines]
        lines.append("")
    lines += ["## Choices", ""]
    for status in Status:
        listed = [_choice(choice) for choice in plan.choices if choice.status is status]
        lines += [f"### {str(status).capitalize()}", "", *listed, ""] if listed else []
    for title, sentences in (("Missing", plan.missing), ("Warnings", plan.warnings)):
        if sentences:
            lines += [f"## {title}", "", *(f"- {_cell(sentence)}" for sentence in sentences), ""]
    return "\n".join(lines)


def _choice(choice: StatedChoice) -> str:
    reason = "; ".join(_cell(text) for text in (choice.why, choice.source) if text)
    return f"- `{choice.path}` = {_cell(choice.value)} ({choice.origin})" + (f": {reason}" if reason else "")


def _cell(text: str) -> str:
    """On one line, and nothing in it read as markup."""
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*").replace("|", "\\|")
