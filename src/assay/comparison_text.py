"""What a program does with a comparison of predictions with labels, read from the lines around it.

Only what is read without doubt is told: a comparison that is masked, selected from or handed on gives None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from assay.program_text import Scope, around, dotted, scope_around, tree_of

Reduced = Literal["sum", "mean", "sum over all"]

PASSES_ON = frozenset({"bool", "cpu", "detach", "double", "float", "int", "item", "long", "to", "type"})
"""Methods and functions after which it is still the same comparison."""


def reduced(file: str, line: int) -> Reduced | None:
    """How the comparisons at this line are reduced: over all positions, by a mean, or by a sum.

    "sum over all" where the function around divides by, or counts, the number of all positions of what was compared.
    """
    tree = tree_of(file)
    if tree is None:
        return None
    scope = scope_around(tree, line)
    statement = next(reversed(list(around(tree, line))), None)
    compared = list(_comparisons(statement, line)) if statement is not None else []
    ways = {_way(node, scope) for node in compared}
    if len(ways) != 1 or None in ways:
        return None
    if ways == {"mean"}:
        return "mean"
    names = {dotted(part) for node in compared for part in ast.walk(node)} - {""}
    return "sum over all" if _counts_all(scope, names) else "sum"


def _comparisons(statement: ast.AST, line: int) -> Iterator[ast.expr]:
    for node in ast.walk(statement):
        if not isinstance(node, ast.expr) or not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.Compare) and [type(each) for each in node.ops] == [ast.Eq]:
            yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "eq":
            yield node


def _way(node: ast.AST, scope: Scope) -> Literal["sum", "mean"] | None:
    """How one expression is reduced; where it is given a name, how everything that reads the name reduces it."""
    parents = {child: parent for parent in ast.walk(scope) for child in ast.iter_child_nodes(parent)}
    way, top = _climbed(node, parents)
    if way is not None or not isinstance(top, ast.Assign) or len(top.targets) != 1:
        return way
    name = dotted(top.targets[0])
    ways = {_climbed(use, parents)[0] for use in ast.walk(scope)
            if isinstance(use, ast.Name) and use.id == name and isinstance(use.ctx, ast.Load)}
    return ways.pop() if name and len(ways) == 1 else None


def _climbed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> tuple[Literal["sum", "mean"] | None, ast.AST | None]:
    """The reduction above the expression, and where the way up ended."""
    current = node
    while (above := parents.get(current)) is not None:
        called = parents.get(above)
        if isinstance(above, ast.Attribute) and isinstance(called, ast.Call) and called.func is above:
            name, plain, current = above.attr, not called.args and not called.keywords, called
        elif isinstance(above, ast.Call) and above.args[:1] == [current]:
            name, plain, current = dotted(above.func).rpartition(".")[2], len(above.args) == 1, above
        else:
            return None, above
        if name in ("sum", "mean") and plain:
            return ("sum" if name == "sum" else "mean"), above
        if name not in PASSES_ON:
            return None, above
    return None, None


def _counts_all(scope: Scope, names: set[str]) -> bool:
    """Whether the number of all positions is taken: `y.numel()`, or `y.size(0) * y.size(1)`."""
    for node in ast.walk(scope):
        method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if method is not None and method.attr in ("numel", "nelement") and dotted(method.value) in names:
            return True
        sizes = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        if isinstance(node, ast.BinOp) and sizes and all(_size(side, names) for side in (node.left, node.right)):
            return True
    return False


def _size(node: ast.expr, names: set[str]) -> bool:
    """`y.size(0)` or `y.shape[0]`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and dotted(node.func.value) in names
    held = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(held, ast.Attribute) and held.attr == "shape" and dotted(held.value) in names
