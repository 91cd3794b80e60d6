"""What a program's own source says around a line: where a name was given its value, and what is done with it.

A probe knows the line at which something came to light, such as a backward pass; the line that is guilty often stands
a little above or below. Source that can't be read gives None, so that the line that is known stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.facts.fact import Place

Statement = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


class Around:
    """The function, or else the file, that holds a line.

    Raises nothing: where the file isn't there or isn't Python it holds no statements.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        try:
            self._tree = ast.parse(Path(place.file).read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError):
            self._tree = ast.Module(body=[], type_ignores=[])
        self._scope = _innermost(self._tree, place.line)

    def root(self) -> str | None:
        """The name from which this line's backward pass begins: `loss` of `(loss / 4).backward()`."""
        for node in ast.walk(self._scope):
            if isinstance(node, ast.Call) and node.lineno <= self._place.line <= (node.end_lineno or node.lineno):
                if not (isinstance(node.func, ast.Attribute) and node.func.attr.endswith("backward")):
                    continue
                plain = node.func.attr == "backward" and not node.args
                parts: list[ast.AST] = [node.func.value] if plain else list(node.args)
                names = [each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]
                return names[-1] if names else None
        return None

    def last_before(self, name: str, fits: Callable[[Statement], bool] = lambda _: True) -> Place | None:
        """The last statement above this line that gives the name a value and fits."""
        lines = [each.lineno for each in _statements(self._scope)
                 if each.lineno < self._place.line and name in _targets(each) and fits(each)]
        return Place(self._place.file, max(lines)) if lines else None

    def kept(self, name: str) -> Place | None:
        """Where the name, or what the function that holds this line returns, is added to what is kept."""
        function = getattr(self._scope, "name", None)
        for scope in dict.fromkeys((self._scope, self._tree)):
            for each in sorted(_statements(scope), key=lambda statement: statement.lineno):
                added = _added(each)
                called = isinstance(added, ast.Call) and function is not None and function in _called(added)
                here = scope is self._scope and isinstance(added, ast.Name) and added.id == name
                if here or called:
                    return Place(self._place.file, each.lineno)
        return None


def calls(statement: ast.AST, names: frozenset[str]) -> bool:
    """Whether the statement calls a function or a method of one of these names."""
    return any(_called(each) & names for each in ast.walk(statement) if isinstance(each, ast.Call))


def _called(call: ast.Call) -> set[str]:
    function = call.func
    if isinstance(function, ast.Name):
        return {function.id}
    return {function.attr} if isinstance(function, ast.Attribute) else set()


def _innermost(tree: ast.Module, line: int) -> Scope:
    scope: Scope = tree
    for node in ast.walk(tree):  # outer functions come before those within them
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            scope = node
    return scope


def _statements(scope: Scope) -> Iterator[Statement]:
    """The simple statements of a scope, those of functions within it included."""
    for node in ast.walk(scope):
        if isinstance(node, Statement):
            yield node


def _targets(statement: Statement) -> set[str]:
    """The names that it gives a value, or one of whose attributes it sets or calls in place."""
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = statement.targets
    elif isinstance(statement, ast.Expr):
        call = statement.value
        in_place = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr.endswith("_")
        targets = [call.func.value] if in_place else []  # type: ignore[attr-defined]  # in_place says that it is one
    else:
        targets = [statement.target]
    named = [each.value if isinstance(each, ast.Attribute) else each for each in targets]
    return {each.id for each in named if isinstance(each, ast.Name)}


def _added(statement: Statement) -> ast.expr | None:
    """What the statement adds to something kept: of `x += v`, `x = x + v` and `x.append(v)` the v."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return statement.value
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        sum_of = statement.value
        left = sum_of.left.id if isinstance(sum_of.left, ast.Name) else None
        return sum_of.right if isinstance(sum_of.op, ast.Add) and left in _targets(statement) else None
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append" and len(call.args) == 1:
            return call.args[0]
    return None
