"""Which split a score was measured on, as far as the names around it say.

Of `acc = accuracy(net, test_loader)` it is the test set. The names nearest to the score decide: first the score's own
and those of the expression that gave it its value, then those within the function that was called, or of the loop that
counted it up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.facts.selection import Split
from assay.metric_sense import LESS, MORE, words_of
from assay.program_text import Scope, scope_around

DATA = r"(set|loader|data|dataloader|dataset|dl|ds|x|y|idx|ids|mask|iter|batches)?\d*"
SPLITS: dict[Split, re.Pattern[str]] = {
    "train": re.compile(rf"[xy]?(train|training|tr|trn){DATA}"),
    "validation": re.compile(rf"[xy]?(val|valid|validation|dev|va|eval|evaluation){DATA}"),
    "test": re.compile(rf"[xy]?(test|testing|tst|te){DATA}"),
}
"""The words of a name that say which split it is of."""

SCORES = MORE | LESS | {"best", "score", "metric", "scores", "metrics"}
DEPTH = 4
SHORT = 24
"""Characters of a string that may be the name of a split."""


@dataclass(frozen=True)
class Behind:
    """What stands behind a score: the expression that gave it its value, in the user's words, and its split."""

    text: str
    split: Split | None


def behind(tree: ast.Module, line: int, value: str) -> Behind:
    """What the score that is compared on this line was made from."""
    scope = scope_around(tree, line)
    own = splits_in(value)
    expressions: list[ast.expr] = [ast.parse(value, mode="eval").body]
    text = value
    for _ in range(DEPTH):
        given = [each for expression in expressions for each in _given(scope, line, expression)]
        if text == value and given:
            text = "; ".join(dict.fromkeys(map(ast.unparse, given)))
        found = {split for each in given for split in _data(each)} or {
            split for each in given for split in _within(tree, each)
        }
        if found:
            return Behind(text, _decided(own, found))
        expressions = given
    return Behind(text, None)


def names_validation(tree: ast.Module) -> bool:
    """Whether the program has validation data, besides scores that are called so."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return any("validation" in splits_in(name) and not words_of(name) & SCORES for name in names)


def splits_in(name: str) -> set[Split]:
    """The splits that the words of a name speak of."""
    words = words_of(name)
    return {split for split, pattern in SPLITS.items() if any(pattern.fullmatch(word) for word in words)}


def _decided(own: set[Split], found: set[Split]) -> Split | None:
    """The score's own name counts where what it was made from agrees; else that must speak of one split alone."""
    if len(own) == 1 and own <= found:
        return next(iter(own))
    return next(iter(found)) if not own and len(found) == 1 else None


def _given(scope: Scope, line: int, expression: ast.expr) -> Iterator[ast.expr]:
    """What gave the names of an expression their values: the last assignment above the line, and loops that count."""
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    for name in sorted(names):
        plain = [value for at, value in _assigned(scope, name) if at < line]
        yield from plain[-1:]
        for node in ast.walk(scope):
            if isinstance(node, ast.For) and node.lineno < line and _counts(node, name):
                yield node.iter


def _assigned(scope: Scope, name: str) -> list[tuple[int, ast.expr]]:
    """Lines and values of a name's plain assignments in their order, `a, b = x, y` taken apart."""
    found = []
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs: list[tuple[ast.expr, ast.expr]] = [(target, node.value)]
            if isinstance(target, ast.Tuple):
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * len(target.elts)
                pairs = list(zip(target.elts, values, strict=False))
            found += [(node.lineno, value) for each, value in pairs if isinstance(each, ast.Name) and each.id == name]
    return sorted(found, key=lambda pair: pair[0])


def _counts(loop: ast.For, name: str) -> bool:
    """Whether the loop's own statements add to the name."""
    return any(
        isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name
        for node in loop.body
    )


def _data(expression: ast.expr) -> set[Split]:
    """The splits that an expression names; what is called doesn't count, since `test(...)` may test on anything."""
    called = {id(node.func) for node in ast.walk(expression) if isinstance(node, ast.Call)}
    names: list[str] = []
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and id(node) not in called:
            names.append(node.id)
        elif isinstance(node, ast.Attribute) and id(node) not in called:
            names.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= SHORT:
            names.append(node.value)
    return {split for name in names if not words_of(name) & SCORES for split in splits_in(name)}


def _within(tree: ast.Module, expression: ast.expr) -> set[Split]:
    """The splits that the program's own functions name which the expression calls."""
    called = {node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
              for node in ast.walk(expression) if isinstance(node, ast.Call)}
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in called]
    parts = [part for body in bodies for part in ast.walk(body) if isinstance(part, ast.Name | ast.Attribute)]
    return {split for part in parts for split in _data(part)}
