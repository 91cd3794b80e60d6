"""The package's files as syntax trees, for the tests that hold its structure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "assay"


@dataclass(frozen=True)
class Source:
    """One file: its path, its module's dotted name, and whether it is a package's own file."""

    path: Path
    module: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    @property
    def package(self) -> str:
        """What a relative import starts from."""
        return self.module if self.path.name == "__init__.py" else self.module.rpartition(".")[0]


def sources(root: Path = PACKAGE) -> list[Source]:
    """Every file of the package."""
    paths = sorted(root.rglob("*.py"))
    return [Source(path, module_of(path, root), path.read_text(encoding="utf-8")) for path in paths]


def module_of(path: Path, root: Path = PACKAGE) -> str:
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: Source) -> Iterator[tuple[str, int]]:
    """Every module that a file may import, with the line: in functions, under TYPE_CHECKING, relative, or by name.

    `from a import b` gives a.b, since b may be a module; import_module("a") and __import__("a") give a, also where
    the name is an f-string that starts with a constant.
    """
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = _origin(node, source)
            yield from ((f"{start}.{alias.name}" if start else alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__") and node.args:
            named = _constant(node.args[0])
            if named:
                yield named, node.lineno


def _origin(node: ast.ImportFrom, source: Source) -> str:
    if not node.level:
        return node.module or ""
    above = source.package.split(".")[: len(source.package.split(".")) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _constant(argument: ast.expr) -> str:
    if isinstance(argument, ast.JoinedStr):
        argument = argument.values[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value.rstrip(".")
    return ""
