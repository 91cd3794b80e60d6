"""How a program's text counts the epochs without progress, and whether the count is ever set back.

In `if loss < best: best = loss`, with `else: waited += 1` and a `break` once `waited >= patience`, it isn't.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.metric_sense import words_of
from assay.program_text import scope_around

STOPS = frozenset({"stop", "stopped", "stopping", "done", "finished", "halt", "early"})


@dataclass(frozen=True)
class Count:
    """A count that only goes up, and the line that raises it."""

    line: int
    name: str
    best: str


def never_set_back(tree: ast.Module, lines: Mapping[int, str]) -> Iterator[Count]:
    """Counts of epochs that weren't the best, which stop the training and aren't set back by one that is.

    lines       those that compare a score with the best so far, and what they call it
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.If) or node.lineno not in lines:
            continue
        scope = scope_around(tree, node.lineno)
        for step in node.orelse:
            if isinstance(step, ast.AugAssign) and isinstance(step.op, ast.Add):
                name = ast.unparse(step.target)
                if _stops(scope, name) and not _set_within(tree, scope, node, name):
                    yield Count(step.lineno, name, lines[node.lineno])


def _stops(scope: ast.AST, name: str) -> bool:
    """Whether the training ends once the count is large: by a break, a return, or something called stop being true."""
    for node in ast.walk(scope):
        if isinstance(node, ast.If) and _is_limit(node.test, name):
            for each in (part for statement in node.body for part in ast.walk(statement)):
                told = isinstance(each, ast.Assign) and ast.unparse(each.value) == "True" and any(
                    words_of(ast.unparse(target)) & STOPS for target in each.targets)
                if told or isinstance(each, ast.Break | ast.Return):
                    return True
    return False


def _is_limit(test: ast.expr, name: str) -> bool:
    """Whether this holds the count against a limit: `waited >= patience`."""
    return any(
        isinstance(each, ast.Compare) and ast.unparse(each.left) == name and len(each.ops) == 1
        and isinstance(each.ops[0], ast.Gt | ast.GtE | ast.Eq)
        for each in ast.walk(test)
    )


def _set_within(tree: ast.Module, scope: ast.AST, choice: ast.If, name: str) -> bool:
    """Whether anything but the count's beginning sets it: a line that runs again, or a method besides __init__."""
    loops = [each for each in ast.walk(scope) if isinstance(each, ast.For | ast.While) and _holds(each, choice)]
    again: list[ast.AST] = [*loops[-1:]] or [scope]
    if name.startswith("self."):
        again += [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name != "__init__"]
    return any(
        name == ast.unparse(each) for part in again for node in ast.walk(part) for target in _targets(node)
        for each in ast.walk(target) if isinstance(each, ast.expr)
    )


def _holds(loop: ast.For | ast.While, choice: ast.If) -> bool:
    return loop.lineno < choice.lineno <= (loop.end_lineno or 0)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.NamedExpr) or (isinstance(node, ast.AugAssign) and not
                                                           isinstance(node.op, ast.Add)):
        return [node.target]
    return []
