"""A recipe's values by their dotted paths, and as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.recipe.schema import Section


def leaves(section: Section, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path, sections and a table's inputs opened up; lists and classes' arguments are values."""
    for name in type(section).model_fields:
        value = getattr(section, name)
        inner = f"{path}.{name}" if path else name
        if isinstance(value, Section):
            yield from leaves(value, inner)
        elif name == "inputs" and isinstance(value, dict):
            yield from ((f"{inner}.{column}", kind) for column, kind in value.items())
        else:
            yield inner, value


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
