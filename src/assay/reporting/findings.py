"""A finding as people read it: where it points, what was seen, what it costs and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from assay.facts.fact import Place
from assay.reporting.words import SHOWN, clean, evidence_line
from assay.rule import Finding, Judgement, Where

if TYPE_CHECKING:
    from rich.console import RenderableType

COLOURS = {"error": "bold red", "warning": "yellow", "note": "cyan"}
INDENT = 4


def finding_text(finding: Finding, *, indent: int = 0) -> str:
    """The finding in plain lines, the last one ended by a newline; long lines aren't broken, so that they can be found.

    indent      spaces before every line
    """
    lines = [_title(finding), *(f"{' ' * INDENT}{label}: {text}" for label, text in _parts(finding))]
    return "".join(f"{' ' * indent}{line}\n" for line in lines)


def render_finding(finding: Finding) -> RenderableType:
    """The finding for rich: coloured, wrapped to the terminal's width under its own labels."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    title = Text(_title(finding))
    title.stylize(COLOURS[_severity(finding)], 0, len(_severity(finding)))
    parts = [Text.assemble((f"{label}: ", "bold"), text) for label, text in _parts(finding)]
    return Group(title, *(Padding(part, (0, 0, 0, INDENT)) for part in parts))


def print_findings(findings: Sequence[Finding], stream: TextIO) -> None:
    """Write findings to a stream: in colour and wrapped on a terminal, as plain lines anywhere else."""
    if not stream.isatty():
        encoding = stream.encoding or "utf-8"
        text = "".join(finding_text(finding) for finding in findings)
        stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()
        return
    from rich.console import Console

    console = Console(file=stream, highlight=False)
    for finding in findings:
        console.print(render_finding(finding))


def unchecked_lines(judgement: Judgement) -> list[str]:
    """A line for each reason why rules could not look, with their names; the JSON document holds all of many."""
    reasons: dict[str, list[str]] = {}
    for name, why in judgement.not_checked.items():
        reasons.setdefault(why, []).append(name)
    return [f"  not checked, {clean(why)}: {_some(names)}" for why, names in reasons.items()]


def _some(names: list[str]) -> str:
    more = [f"and {len(names) - SHOWN} more"] if len(names) > SHOWN else []
    return ", ".join(names[:SHOWN] + more)


def place_words(where: Where | None) -> str:
    """`train.py:42, head.weight, step 0`; empty where it points nowhere."""
    if where is None:
        return ""
    parts = [
        _line(where.place) if where.place else "",
        where.module or "",
        f"step {where.step}" if where.step is not None else "",
    ]
    return clean(", ".join(part for part in parts if part))


def _line(place: Place) -> str:
    """A line of a file, or of a notebook's cell."""
    return f"{place.file}, line {place.line}" if place.file.startswith("cell ") else f"{place.file}:{place.line}"


def _severity(finding: Finding) -> str:
    assert finding.severity is not None, "judge() gives every finding its severity"
    return str(finding.severity)


def _title(finding: Finding) -> str:
    place = place_words(finding.where)
    return f"{_severity(finding)}: {clean(finding.summary)}" + (f" ({place})" if place else "")


def _parts(finding: Finding) -> Iterator[tuple[str, str]]:
    yield "seen", evidence_line(finding.evidence)
    if finding.impact is not None:
        yield "impact", clean(finding.impact)
    yield "fix", clean(finding.fix)
    for symptom in finding.explains:
        yield "explains", f"{clean(symptom.summary)} [{symptom.rule}]"
    yield "rule", finding.rule
