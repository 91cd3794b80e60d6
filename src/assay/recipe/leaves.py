"""A recipe's values by their dotted paths, and how two recipes differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.recipe.schema import Recipe, Section


def leaves(section: Section, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path, sections opened up; lists and the arguments of classes are values."""
    for name in type(section).model_fields:
        value = getattr(section, name)
        inner = f"{path}.{name}" if path else name
        if isinstance(value, Section):
            yield from leaves(value, inner)
        else:
            yield inner, value


def differences(before: Recipe, after: Recipe) -> tuple[str, ...]:
    """One line for each value that differs, in the order of the schema: `training.batch_size: 64, now 32`."""
    old, new = dict(leaves(before)), dict(leaves(after))
    paths = list(dict.fromkeys([*old, *new]))
    return tuple(
        f"{path}: {_shown(old, path)}, now {_shown(new, path)}" for path in paths if _at(old, path) != _at(new, path)
    )


def _at(values: Mapping[str, Any], path: str) -> tuple[bool, Any]:
    return path in values, values.get(path)


def _shown(values: Mapping[str, Any], path: str) -> str:
    return "not there" if path not in values else plain_text(values[path])


def plain_text(value: Any) -> str:
    """A value as a person reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ", ".join(plain_text(item) for item in value) or "none"
    if isinstance(value, Section):
        return ", ".join(f"{name}: {plain_text(item)}" for name, item in leaves(value) if item not in (None, {}))
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)
