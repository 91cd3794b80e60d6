"""How a program's text keeps the best score so far, and the weights that go with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from assay.metric_sense import Sense, words_of
from assay.program_text import dotted

SMALLER, LARGER = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)


@dataclass(frozen=True)
class Comparison:
    """`if value < best: best = value`, in the user's words, and its line."""

    line: int
    value: str
    best: str
    keeps: Sense
    weights: bool


@dataclass(frozen=True)
class Kept:
    """A name that is given the best weights in vain, and the line that does so.

    alias_of    the model that it is another name of; None for a copy that nothing reads
    """

    line: int
    name: str
    alias_of: str | None


def comparisons_in(tree: ast.Module) -> Iterator[Comparison]:
    """Every comparison by which something called the best is replaced."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            for compare in _compares(node.test):
                for branch, kept in ((node.body, True), (node.orelse, False)):
                    yield from _replacing(node, compare, branch, kept=kept)


def _compares(test: ast.expr) -> Iterator[ast.Compare]:
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    for part in parts:
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], (*SMALLER, *LARGER)):
            yield part


def _replacing(
    node: ast.If, compare: ast.Compare, branch: list[ast.stmt], *, kept: bool,
) -> Iterator[Comparison]:
    left, right = ast.unparse(compare.left), ast.unparse(compare.comparators[0])
    smaller = isinstance(compare.ops[0], SMALLER)
    for target, value in _assignments(branch):
        if "best" not in words_of(target) or value not in (left, right):
            continue
        first = value == left  # value < best
        best = right if first else left
        if target in best.split() or target == best:
            keeps: Sense = "min" if (smaller == first) == kept else "max"
            yield Comparison(node.lineno, value, target, keeps, any(map(_keeps_weights, branch)))


def _assignments(branch: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Targets and values of the branch's own assignments, `best, epoch = score, i` taken apart."""
    for statement in branch:
        if not isinstance(statement, ast.Assign):
            continue
        for target in statement.targets:
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                pairs = zip(target.elts, statement.value.elts, strict=False)
                yield from ((ast.unparse(name), ast.unparse(value)) for name, value in pairs)
            else:
                yield ast.unparse(target), ast.unparse(statement.value)


def kept_in_vain(tree: ast.Module) -> Iterator[Kept]:
    """Names called the best that a comparison gives a model's weights: copies never read, and mere other names."""
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    writes_files = any(isinstance(node, ast.Call) and _called(node).startswith("save") for node in ast.walk(tree))
    for loop, node in _choices(tree, None):
        for name, value in _names_given(node.body):
            if _keeps_weights(value) and name not in read and not writes_files:
                yield Kept(value.lineno, name, None)
            elif isinstance(value, ast.Name) and name in read and loop and _trained_on(tree, loop, value.id):
                yield Kept(value.lineno, name, value.id)


def _names_given(branch: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names called the best that the branch itself assigns."""
    for statement in branch:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            if "best" in words_of(name):
                yield name, statement.value


def _choices(tree: ast.AST, loop: ast.AST | None) -> Iterator[tuple[ast.AST | None, ast.If]]:
    """Every `if` that compares, with the innermost loop around it."""
    for child in ast.iter_child_nodes(tree):
        inner = child if isinstance(child, ast.For | ast.While) else loop
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = None
        if isinstance(child, ast.If) and any(_compares(child.test)):
            yield loop, child
        yield from _choices(child, inner)


def _trained_on(tree: ast.Module, loop: ast.AST, name: str) -> bool:
    """Whether the loop goes on training the model of this name, and doesn't make it anew."""
    nodes = list(ast.walk(loop))
    named = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    made_anew = any(isinstance(node.ctx, ast.Store) for node in named)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    steps = any(_called(call) in ("step", "backward") for call in calls)
    trains = any(
        {"train", "fit", "epoch"} & words_of(_called(call))
        and any(isinstance(argument, ast.Name) and argument.id == name for argument in call.args) for call in calls
    )
    optimised = f"{name}.parameters()" in ast.unparse(tree)
    return optimised and not made_anew and (steps or trains)


def _keeps_weights(code: ast.AST) -> bool:
    called = {_called(node) for node in ast.walk(code) if isinstance(node, ast.Call)}
    return any(name in ("state_dict", "deepcopy") or name.startswith("save") for name in called)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else dotted(call.func)
