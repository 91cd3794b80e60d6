"""Sizes that keep the code readable, names that say something, and nothing left open."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax import Source, sources

FILE_LINES, FUNCTION_LINES, METHODS, PARAMETERS = 400, 40, 10, 6
SAYS_NOTHING = {"utils", "util", "common", "helpers", "helper", "misc", "core", "base", "tools"}
LEFT_OPEN = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def overruns(source: Source) -> Iterator[str]:
    """What is over budget in a file."""
    lines = source.text.count("\n")
    if lines > FILE_LINES:
        yield f"{source.module} has {lines} lines"
    if source.module.rpartition(".")[2] in SAYS_NOTHING:
        yield f"{source.module} has a name that says nothing"
    for number, line in enumerate(source.text.splitlines(), 1):
        if LEFT_OPEN.search(line):
            yield f"{source.module}:{number} is left open"
    for node in ast.walk(source.tree):
        where = f"{source.module}:{getattr(node, 'lineno', 0)} {getattr(node, 'name', '')}"
        if isinstance(node, Function):
            yield from (f"{where} {what}" for what in _function(node))
        if isinstance(node, ast.ClassDef) and methods(node) > METHODS:
            yield f"{where} has {methods(node)} methods"


def _function(node: Function) -> Iterator[str]:
    if code_lines(node) > FUNCTION_LINES:
        yield f"has {code_lines(node)} lines of code"
    if parameters(node) > PARAMETERS:
        yield f"takes {parameters(node)} parameters"


def code_lines(node: Function) -> int:
    """Lines of a function without its docstring and decorators."""
    assert node.end_lineno is not None
    first = node.body[0]
    documented = ast.get_docstring(node) is not None and first.end_lineno is not None
    docstring = first.end_lineno - first.lineno + 1 if documented and first.end_lineno else 0
    return node.end_lineno - node.lineno + 1 - docstring


def parameters(node: Function) -> int:
    """Parameters besides self and cls."""
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return sum(each.arg not in ("self", "cls") for each in named)


def methods(node: ast.ClassDef) -> int:
    """Methods that are called; properties are read."""
    functions = [each for each in node.body if isinstance(each, Function)]
    return sum(not any("property" in ast.unparse(mark) for mark in each.decorator_list) for each in functions)


def test_the_package_keeps_its_budgets() -> None:
    assert [fault for source in sources() for fault in overruns(source)] == []


LONG = "    x = 1\n"


@pytest.mark.parametrize(("module", "text"), [
    ("assay.long", "x = 1\n" * (FILE_LINES + 1)),
    ("assay.long", "def f():\n" + LONG * FUNCTION_LINES),
    ("assay.long", "def f():\n    '''Say.'''\n" + LONG * FUNCTION_LINES),
    ("assay.long", "class A:\n    def f(self):\n" + f"    {LONG}" * FUNCTION_LINES),
    ("assay.wide", "def f(a, b, /, c, d, *, e, f, g): ..."),
    ("assay.many", "class A:\n" + "".join(f"    def m{i}(self): ...\n" for i in range(METHODS + 1))),
    ("assay.recipe.utils", ""),
    ("assay.open", "x = 1  # TODO: two"),
    ("assay.open", "def f():\n    raise NotImplementedError"),
])
def test_an_overrun_is_found(module: str, text: str) -> None:
    assert list(overruns(Source(Path("x.py"), module, text)))


@pytest.mark.parametrize("text", [
    "x = 1\n" * FILE_LINES,
    "def f():\n" + LONG * (FUNCTION_LINES - 1),
    "def f():\n    '''Say.\n\n    More.\n    '''\n" + LONG * (FUNCTION_LINES - 1),
    "class A:\n    def f(self, a, b, *, c, d, e, f): ...",
    "class A:\n" + "".join(f"    @property\n    def m{i}(self): ...\n" for i in range(METHODS + 1)),
])
def test_what_is_within_budget_is_silent(text: str) -> None:
    assert not list(overruns(Source(Path("x.py"), "assay.fine", text)))
