"""Values as people read them: durations, evidence, and text that carries no control codes."""

from __future__ import annotations

import unicodedata

from assay.facts.plain import Plain, plain

TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows them, so that a name could rewrite its line."""

SHOWN = 6
"""Entries of a list in a line of evidence; the JSON document holds all of them."""


def duration(seconds: float) -> str:
    """0.4 s, 12 s, 3:05, 1:02:03."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def evidence_line(evidence: dict[str, object]) -> str:
    """One line: "row sums 1, 1 · chain NllLoss, LogSoftmax"; numbers to four digits."""
    return " · ".join(
        f"{name.replace('_', ' ')} {_value(plain(value))}" for name, value in evidence.items() if value is not None
    )


def _value(value: Plain) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        more = [f"and {len(value) - SHOWN} more"] if len(value) > SHOWN else []
        return ", ".join([_nested(item) for item in value[:SHOWN]] + more) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_nested(item)}" for name, item in value.items()) or "none"
    return "none" if value is None else clean(str(value))


def _nested(value: Plain) -> str:
    return f"({_value(value)})" if isinstance(value, list | dict) else _value(value)


def clean(text: str) -> str:
    """The text with control characters written out, so that a column's name can't steer the terminal."""
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    controls = unicodedata.category(character) in ("Cc", "Cs") and character not in "\n\t"
    hidden = controls or character in TURNING
    return character.encode("unicode_escape", "surrogatepass").decode("ascii") if hidden else character
