"""How a program accumulates gradients, as its source says it: steps under a condition, rates that make up for it."""

from __future__ import annotations

import ast
import linecache
from functools import cache

from assay.facts.fact import Place


@cache
def guarded(step: Place, backward: Place) -> bool:
    """Whether `step` stands under a condition of its own within the loop that `backward` runs in.

    Either an `if` around the step and not around the backward pass, or an `if` with a remainder that goes on to the
    next turn or returns before the step. Where the two lines aren't in one loop of one file, only a remainder tells.
    """
    tree = _tree(step.file)
    loop = _innermost_loop(tree, step.line)
    together = loop is not None and step.file == backward.file and _holds(loop, backward.line)
    for node in ast.walk(loop or tree):
        if not isinstance(node, ast.If):
            continue
        around = _holds(node, step.line)
        remainder = any(isinstance(part, ast.Mod) for part in ast.walk(node.test))
        if around and (remainder or together) and not (step.file == backward.file and _holds(node, backward.line)):
            return True
        if remainder and node.lineno < step.line and isinstance(node.body[-1], ast.Continue | ast.Return):
            return loop is not None
    return False


@cache
def rate_divided(file: str) -> bool:
    """Whether a rate in this file is a quotient: `lr=0.1 / ACCUM` scales the step instead of the loss."""
    return any(
        isinstance(node, ast.keyword) and node.arg == "lr"
        and any(isinstance(part, ast.Div) for part in ast.walk(node.value))
        for node in ast.walk(_tree(file))
    )


def _tree(file: str) -> ast.AST:
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def _innermost_loop(tree: ast.AST, line: int) -> ast.For | ast.While | None:
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While) and _holds(node, line)]
    return max(loops, key=lambda loop: loop.lineno, default=None)


def _holds(node: ast.For | ast.While | ast.If, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)
