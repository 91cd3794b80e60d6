"""The text of the user's own code as syntax trees: what a probe can't see of values is read from the lines around."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache

from assay.metric_sense import words_of

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@lru_cache(maxsize=64)
def tree_of(file: str) -> ast.Module | None:
    """The file's syntax tree, or None where there is no text that can be read."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None


def scope_around(tree: ast.Module, line: int) -> Scope:
    """The innermost function that holds the line, or the module."""
    found: Scope = tree
    for node in ast.walk(tree):  # breadth first, so an inner one comes later
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _holds(node, line):
            found = node
    return found


def around(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    """The nodes that hold the line, from the outermost to the innermost."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and _holds(child, line):
            yield child
            yield from around(child, line)
            return


def _holds(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= line <= last


def dotted(node: ast.AST) -> str:
    """`np.mean` of the node of such a name, "" of any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def argument_of(file: str, line: int, method: str) -> str:
    """The text of the first argument that the line hands to a method of this name, or ""."""
    tree = tree_of(file)
    for statement in reversed(list(around(tree, line))) if tree is not None else ():
        for node in ast.walk(statement):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
            if called and isinstance(node, ast.Call) and node.args:
                return ast.unparse(node.args[0])
        return ""
    return ""


def calls_in(tree: ast.AST) -> Iterator[str]:
    """The dotted names of everything that is called."""
    return (dotted(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))


def begins_at(tree: ast.Module, entries: set[str]) -> bool:
    """Whether the text begins to count where an entry such as `checkpoint["epoch"]` says.

    Either a name like `start_epoch` is given it, or a `range` begins with it.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            named = any(_begins(ast.unparse(target)) for target in node.targets)
            if named and _reads_count(node.value, entries):
                return True
        ranged = isinstance(node, ast.Call) and dotted(node.func) == "range" and len(node.args) > 1
        if isinstance(node, ast.Call) and ranged and _reads_count(node.args[0], entries):
            return True
    return False


def _begins(name: str) -> bool:
    return bool(words_of(name) & {"start", "first", "begin", "resume", "initial"})


def _reads_count(value: ast.expr, entries: set[str]) -> bool:
    counts = {each.value for each in ast.walk(value) if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return any(words_of(count) & {"epoch", "epochs", "step", "iteration", "iter"} for count in counts & entries)
