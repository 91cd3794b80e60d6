"""Whether a program averages a score that it computes again and again: read from the lines around the call.

A score of one batch is gathered in a list that is averaged, added to a sum that is divided, handed to a meter, or
logged by a step of Lightning, which averages over the batches by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from assay.program_text import Scope, around, dotted, scope_around, tree_of

MEANS = {"mean", "fmean", "average", "nanmean"}
STEPS = {"validation_step", "test_step"}


@dataclass(frozen=True)
class Averaging:
    """How the scores of one line are averaged, in the user's words, and the line that does it."""

    text: str
    line: int


def averaging_of(file: str, line: int, function: str) -> Averaging | None:
    """How the value of the call of `function` at this line is averaged over batches; None where it isn't, or unseen."""
    tree = tree_of(file)
    if tree is None:
        return None
    scope = scope_around(tree, line)
    statement = next(reversed(list(around(tree, line))), None)
    if not isinstance(statement, ast.stmt):
        return None
    called = {function, *_aliases(tree, function)}
    if isinstance(scope, ast.FunctionDef) and scope.name in STEPS:
        return _logged(scope, {*called, *_assigned(statement)})
    if _over_batches(scope, line):
        return next(_averages(tree, scope, {*called, *_assigned(statement)}), None)
    return next(_comprehended(statement, called), None)


def reads(file: str, line: int) -> bool:
    """Whether the program reads the name that the statement at this line assigns, or uses its value at once."""
    tree = tree_of(file)
    if tree is None:
        return True
    scope = scope_around(tree, line)
    statement = next(reversed(list(around(tree, line))), None)
    names = set(_assigned(statement)) if isinstance(statement, ast.stmt) else set()
    loaded = {dotted(node) for node in ast.walk(scope) if _is_read(node)}
    return not names or bool(names & loaded)


def _is_read(node: ast.AST) -> TypeGuard[ast.Name | ast.Attribute | ast.Subscript]:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Load)


def _logged(step: ast.FunctionDef, carriers: set[str]) -> Averaging | None:
    for node in ast.walk(step):
        logs = isinstance(node, ast.Call) and dotted(node.func) in ("self.log", "self.log_dict")
        if isinstance(node, ast.Call) and logs and _carries(node.args, carriers):
            return Averaging(ast.unparse(node), node.lineno)
    return None


def _aliases(tree: ast.Module, function: str) -> Iterator[str]:
    """The names that it was imported under."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (each.asname for each in node.names if each.name == function and each.asname)


def _comprehended(statement: ast.stmt, called: set[str]) -> Iterator[Averaging]:
    """`np.mean([f1_score(...) for x, y in loader])`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and _function_name(node) in MEANS:
            parts = [each for each in ast.walk(node) if isinstance(each, ast.ListComp | ast.GeneratorExp)]
            if any(_carries([each.elt], called) and _names_batches(each.generators[0].iter) for each in parts):
                yield Averaging(ast.unparse(node), node.lineno)


def _function_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)


def _over_batches(scope: Scope, line: int) -> bool:
    """Whether the line stands in a loop over batches: of a loader, of chunks, or of every so-manieth row."""
    loops = [node for node in around(scope, line) if isinstance(node, ast.For)]
    return bool(loops) and any(_names_batches(loop.iter) for loop in loops)


def _names_batches(iterated: ast.expr) -> bool:
    text = ast.unparse(iterated).casefold()
    strided = any(
        isinstance(node, ast.Call) and dotted(node.func) == "range" and len(node.args) == 3
        for node in ast.walk(iterated)
    )
    return strided or any(word in text for word in ("loader", "batch", ".split(", ".chunk(", "array_split"))


def _assigned(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign):
        yield from filter(None, map(_held, statement.targets))
    elif isinstance(statement, ast.AnnAssign):
        yield dotted(statement.target)


def _held(node: ast.expr) -> str:
    """The name of a variable, an attribute, or an entry such as `totals["f1"]`."""
    return ast.unparse(node) if isinstance(node, ast.Subscript) else dotted(node)


def _averages(tree: ast.Module, scope: Scope, carriers: set[str]) -> Iterator[Averaging]:
    gathered, added = set[str](), set[str]()
    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _carries(node.args, carriers):
            if node.func.attr == "append":
                gathered.add(_held(node.func.value))
            elif node.func.attr == "update":
                yield Averaging(ast.unparse(node), node.lineno)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and _carries([node.value], carriers):
            (gathered if isinstance(node.value, ast.List) else added).add(_held(node.target))
    for node in ast.walk(tree if any("." in name for name in gathered | added) else scope):
        if isinstance(node, ast.Call) and _is_mean(node, gathered):
            yield Averaging(ast.unparse(node), node.lineno)
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div) and _divides(
            node, gathered, added,
        ):
            yield Averaging(ast.unparse(node), node.lineno)


def _carries(values: list[ast.expr], carriers: set[str]) -> bool:
    """Whether one of the values is made of such a name, or of what a call of it gives."""
    return any(
        dotted(node) in carriers or dotted(node).rpartition(".")[2] in carriers
        for value in values for node in ast.walk(value)
    )


def _is_mean(call: ast.Call, gathered: set[str]) -> bool:
    """`np.mean(scores)`, `mean(scores)`, `np.array(scores).mean()`."""
    return _function_name(call) in MEANS and any(_held(node) in gathered for node in ast.walk(call) if _is_read(node))


def _divides(node: ast.BinOp | ast.AugAssign, gathered: set[str], added: set[str]) -> bool:
    """`total / batches`, `total /= batches`, `sum(scores) / len(scores)`."""
    divided = node.left if isinstance(node, ast.BinOp) else node.target
    if _held(divided) in added:
        return True
    return (isinstance(divided, ast.Call) and dotted(divided.func) in ("sum", "np.sum", "math.fsum")
            and any(_held(argument) in gathered for argument in divided.args))
