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
STEPS = frozenset({"compute_loss", "training_step"})
"""What Lightning and Transformers call for a batch's loss."""

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


class Around:
    """The function, or else the file, that holds a line.

    Raises nothing: where the file isn't there or isn't Python it holds no statements.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        try:
            self._tree = ast.parse(Path(place.file).read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError):
            self._tree = ast.Module(body=[], type_ignores=[])
        self._scope = _innermost(self._tree, place.line)

    def root(self) -> str | None:
        """The name from which this line's backward pass begins: `loss` of `(loss / 4).backward()`."""
        for node in ast.walk(self._scope):
            if isinstance(node, ast.Call) and node.lineno <= self.place.line <= (node.end_lineno or node.lineno):
                if not (isinstance(node.func, ast.Attribute) and node.func.attr.endswith("backward")):
                    continue
                plain = node.func.attr == "backward" and not node.args
                parts: list[ast.expr] = [node.func.value] if plain else node.args
                if plain and isinstance(node.func.value, ast.Call) and node.func.value.args:
                    parts = node.func.value.args  # `scaler.scale(loss).backward()`
                names = [each for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]
                return min(names, key=lambda each: (each.lineno, each.col_offset)).id if names else None
        return None

    def last_before(self, name: str, fits: Callable[[Statement], bool] = lambda _: True) -> Place | None:
        """The last statement above this line that gives the name a value and fits."""
        lines = [each.lineno for each in _statements(self._scope)
                 if each.lineno < self.place.line and name in _targets(each) and fits(each)]
        return Place(self.place.file, max(lines)) if lines else None

    def handed_over(self) -> Place | None:
        """Where the file's only training step makes its loss, for a line that leaves the loop to a library."""
        made = _returned(self._tree, STEPS)
        while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):  # `self.step(batch)`
            own = isinstance(made.func.value, ast.Name) and made.func.value.id == "self"
            further = _returned(self._tree, frozenset({made.func.attr})) if own else None
            if further is None or further.lineno == made.lineno:
                break
            made = further
        return Place(self.place.file, made.lineno) if made is not None else None

    def kept(self, name: str) -> Place | None:
        """Where the name, or what the function that holds this line returns, is added to what is kept."""
        function = getattr(self._scope, "name", None)
        for scope in dict.fromkeys((self._scope, self._tree)):
            for each in sorted(_statements(scope), key=lambda statement: statement.lineno):
                added = _added(each)
                called = isinstance(added, ast.Call) and function is not None and function in _called(added)
                here = scope is self._scope and isinstance(added, ast.Name) and added.id == name
                if here or called:
                    return Place(self.place.file, each.lineno)
        return None


def _returned(tree: ast.Module, names: frozenset[str]) -> ast.expr | None:
    """What the only function of these names returns at its only return, or what the name that it returns was given."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name in names]
    returns = [each.value for function in functions for each in ast.walk(function) if isinstance(each, ast.Return)]
    if len(functions) != 1 or len(returns) != 1:
        return None
    value = returns[0]
    if not isinstance(value, ast.Name):
        return value
    assigned = (each for each in _statements(functions[0]) if isinstance(each, ast.Assign))
    given = [each.value for each in assigned if value.id in _targets(each)]
    return given[-1] if given else value


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


class Term(Around):
    """A line that gives one name a value, and what becomes of that value in the lines around."""

    def variable(self) -> str | None:
        """The one name that the line's statement assigns."""
        statement = self._statement()
        target = statement.targets[0] if statement is not None and len(statement.targets) == 1 else None
        return target.id if isinstance(target, ast.Name) and not target.id.startswith("_") else None

    def overwritten(self, name: str) -> Place | None:
        """Where, further down in the same block, the name is given another value before anything reads it."""
        block = next((block for block in _blocks(self._scope) if self._statement() in block), [])
        after = [each for each in block if each.lineno > self.place.line]
        for each in after:
            if _reads(each, name):
                return None
            if isinstance(each, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in each.targets):
                return Place(self.place.file, each.lineno)
        return None

    def unread(self, name: str) -> bool:
        """Whether nothing in the scope reads the name, but expressions whose value is thrown away."""
        if any(isinstance(each, ast.Global | ast.Nonlocal) and name in each.names for each in ast.walk(self._scope)):
            return False
        thrown = [each for each in ast.walk(self._scope) if isinstance(each, ast.Expr) and _thrown_away(each.value)]
        idle = {id(part) for each in thrown for part in ast.walk(each)}
        return not any(
            isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load) and id(each) not in idle
            for each in ast.walk(self._scope)
        )

    def added(self, name: str) -> Place | None:
        """Where the name is added to what a backward pass of the same scope begins from."""
        roots = _roots(self._scope)
        for each in _statements(self._scope):
            value = each.value if isinstance(each, ast.Assign | ast.AugAssign) else None
            summed = isinstance(each, ast.AugAssign) or isinstance(value, ast.BinOp)
            if value is not None and summed and _targets(each) & roots and name in _summands(value):
                return Place(self.place.file, each.lineno)
        return None

    def _statement(self) -> ast.Assign | None:
        held = [each for each in _statements(self._scope) if isinstance(each, ast.Assign)
                and each.lineno <= self.place.line <= (each.end_lineno or each.lineno)]
        return held[-1] if held else None


def _blocks(scope: Scope) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a scope that run one after the other."""
    for node in ast.walk(scope):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                yield block


def _reads(statement: ast.AST, name: str) -> bool:
    names = (each for each in ast.walk(statement) if isinstance(each, ast.Name) and each.id == name)
    in_place = isinstance(statement, ast.AugAssign) and name in _targets(statement)
    return in_place or any(isinstance(each.ctx, ast.Load) for each in names)


def _thrown_away(value: ast.expr) -> bool:
    """Whether an expression that stands alone does nothing: a sum, or a method that returns one."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return value.func.attr in ("add", "sub", "mul", "div")
    return isinstance(value, ast.BinOp)


def _roots(scope: Scope) -> set[str]:
    """The names from which backward passes of the scope begin, or that a training step returns."""
    roots = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("backward"):
            roots |= {each.id for part in (node.func.value, *node.args) for each in ast.walk(part)
                      if isinstance(each, ast.Name)}
        if isinstance(node, ast.Return) and getattr(scope, "name", "") in STEPS:
            roots |= {node.value.id} if isinstance(node.value, ast.Name) else set()
    return roots


def _summands(value: ast.expr) -> set[str]:
    """The names that are added up, with or without a factor, to make a value."""
    if isinstance(value, ast.Name):
        return {value.id}
    if isinstance(value, ast.BinOp):
        return _summands(value.left) | _summands(value.right)
    return set()
