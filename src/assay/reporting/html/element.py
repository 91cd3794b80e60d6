"""HTML by construction: text is escaped because nothing else can be done with it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from assay.reporting.words import clean

VOID = {"meta", "img", "br"}


@dataclass(frozen=True)
class Markup:
    """HTML that is ready; only `tag` and `fragment` make it, and `trusted` for our own style sheet and script."""

    text: str


Child = Markup | str | int | None | Iterable["Child"]
"""What an element may hold: text is escaped, None is nothing."""


def tag(name: str, /, *children: Child, **attributes: str | bool | None) -> Markup:
    """An element; `class_` loses its underscore, `data_x` is data-x; True is a bare attribute, None and False none."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{fragment(*children).text}</{name}>")


def fragment(*children: Child) -> Markup:
    """Several one after another."""
    return Markup("".join(_written(child) for child in children))


def trusted(text: str) -> Markup:
    """The project's own style sheet and script, as they stand. Never text that came from a run."""
    return Markup(text)


def _written(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child.text
    if isinstance(child, str | int):
        return html.escape(clean(str(child)), quote=False)
    return "".join(_written(each) for each in child)


def _attribute(key: str, value: str | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    text = html.escape(clean(value), quote=False).replace('"', "&quot;")
    return f' {name}="{text}"'
