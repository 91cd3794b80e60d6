"""YAML to plain values with the line of each: nothing is ever built but text, numbers, true, false, lists and mappings.

Scalars follow YAML 1.2's core schema rather than PyYAML's 1.1, so `1e-3` is a number and `no` is text. What a text can
expand to is bounded: depth, values, and the references of anchors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from assay.recipe.problem import Problem

DEEPEST = 20
"""Levels of nesting; the schema needs six, and arguments of people's own classes few more."""

MOST_VALUES = 20_000
"""Values after references are followed, so that a few lines of nested anchors can't fill the memory."""

_PREFIX = "tag:yaml.org,2002:"
_BOOLEANS = {"true": True, "false": False}
_WORDS = {"bool": "true or false", "int": "a whole number", "float": "a number", "str": "text"}


class _Loader(yaml.SafeLoader):
    """Composes nodes; its scalars are those of YAML 1.2."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # PyYAML's own name


for _kind, _pattern, _first in (
    ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789")),
    ("float", r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)"
     r"|\.(?:nan|NaN|NAN))$", list("-+0123456789.")),
):
    _Loader.add_implicit_resolver(_PREFIX + _kind, re.compile(_pattern), _first)


@dataclass
class Tree:
    """What the text says: `value` is plain, `lines` holds the line of every dotted path, counted from 1."""

    value: Any = None
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def parse_yaml(text: str) -> Tree:
    """Read one YAML document. Whatever is wrong stands in the tree's problems."""
    tree = Tree()
    root = _composed(text)
    if isinstance(root, Problem):
        tree.problems.append(root)
    elif root is not None:
        tree.value = _Conversion(tree).converted(root, "")
    return tree


def plain_value(text: str) -> Any:
    """The value of one line of YAML, as on the command line.

    Raises ValueError, with a sentence, where it can't be read.
    """
    tree = parse_yaml(text)
    if tree.problems:
        raise ValueError(tree.problems[0].sentence)
    return tree.value


def _composed(text: str) -> yaml.Node | Problem | None:
    """The root node, None for a text without one, or why the text can't be composed.

    Composing recurses and parsing to events doesn't, so the bounds are checked on the events first.
    """
    depth = 0
    try:
        for count, event in enumerate(yaml.parse(text, Loader=_Loader)):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            line = event.start_mark.line + 1 if event.start_mark else 1
            if depth > DEEPEST:
                return Problem("", f"the recipe is nested more than {DEEPEST} levels deep; no recipe needs it", line)
            if count > 2 * MOST_VALUES:
                return Problem("", f"the recipe holds more than {MOST_VALUES:,} values; no recipe needs them", line)
        root: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        return _misspelt(error, text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = error.character if isinstance(error.character, int) else ord(error.character)
        return Problem("", f"the line holds the character U+{code:04X}, which YAML doesn't allow; take it out", line)
    except (ValueError, RecursionError) as error:  # PyYAML on escapes beyond Unicode
        return Problem("", f"the text can't be read as YAML ({error}); check quotes and escapes")
    return root


def _misspelt(error: yaml.MarkedYAMLError, text: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    lines = text.splitlines()
    line = mark.line + 1 if mark else 1
    shown = lines[line - 1] if line <= len(lines) else ""
    before = shown[: mark.column + 1] if mark else ""
    if "\t" in before or "'\\t'" in (error.problem or ""):
        return Problem("", "the line is indented with a tab, which YAML doesn't allow; use spaces", line)
    if "expected a single document" in f"{error.context} {error.problem}":
        return Problem("", "the line starts a second document with ---; a recipe is one document", line)
    return Problem("", f"the line can't be read as YAML: {error.problem or error.context}; check colons, quotes and "
                       "indentation", line)


class _Conversion:
    """Nodes to plain values; problems and lines go to the tree."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._count = 0
        self._open: set[int] = set()

    def converted(self, node: yaml.Node, path: str) -> Any:
        line = node.start_mark.line + 1
        self._tree.lines.setdefault(path, line)
        self._count += 1
        if id(node) in self._open:
            return self._refused(path, f"{path} contains itself; write its values out", line)
        if self._count > MOST_VALUES:
            if self._count == MOST_VALUES + 1:
                self._refused(path, f"{path} grows to more than {MOST_VALUES:,} values by its anchors; write them out",
                              line)
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, path)
        self._open.add(id(node))
        try:
            return self._collection(node, path)
        finally:
            self._open.discard(id(node))

    def _collection(self, node: yaml.Node, path: str) -> Any:
        if node.tag != _PREFIX + ("map" if isinstance(node, yaml.MappingNode) else "seq"):
            return self._refused_tag(node, path)
        if not isinstance(node, yaml.MappingNode):
            return [self.converted(item, _joined(path, str(index))) for index, item in enumerate(node.value)]
        entries: dict[str, Any] = {}
        for key, value, child in self._entries(node, path):
            entries[key] = self.converted(value, child)
        return entries

    def _entries(self, node: yaml.MappingNode, path: str) -> Iterator[tuple[str, yaml.Node, str]]:
        first: dict[str, int] = {}
        for key_node, value in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._refused(path, f"{path or 'the recipe'} has a list or a mapping as a key; keys are words", line)
                continue
            key = key_node.value
            child = _joined(path, key)
            if key in first:
                self._refused(child, f"{child} stands twice, first on line {first[key]}; leave one of them out", line)
                continue
            if not key_node.tag.startswith(_PREFIX):
                self._refused_tag(key_node, child)
                continue
            first[key] = line
            self._tree.lines[child] = line
            yield key, value, child

    def _scalar(self, node: yaml.ScalarNode, path: str) -> Any:
        kind, text = node.tag.removeprefix(_PREFIX), node.value
        try:
            if kind == "null":
                return None
            if kind == "bool":
                return _BOOLEANS[text.lower()]
            if kind == "int":
                return int(text, 0) if text.startswith(("0x", "0o")) else int(text)
            if kind == "float":
                return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
            if kind == "str":
                text.encode()  # half of a surrogate pair can't be written again
                return text
        except (KeyError, ValueError):
            sentence = f"{path or 'the recipe'} has a value that can't be read as {_WORDS[kind]}: {text[:40]!r}"
            return self._refused(path, sentence, node.start_mark.line + 1)
        return self._refused_tag(node, path)

    def _refused_tag(self, node: yaml.Node, path: str) -> None:
        tag = node.tag.replace(_PREFIX, "!!")
        self._refused(path, f"{path or 'the recipe'} carries the tag {tag[:60]}, which could build an object; a recipe "
                            "holds plain values only, and your own classes enter by class_path",
                      node.start_mark.line + 1)

    def _refused(self, path: str, sentence: str, line: int) -> None:
        self._tree.problems.append(Problem(path, sentence, line))


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
