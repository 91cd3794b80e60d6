"""What people allow: comments beside the line, and a list in the project's pyproject.toml.

A line says `# assay: allow loss-on-probabilities`; the project says

    [tool.assay]
    allow = ["decay-on-norms"]

and both are listed in every report.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from assay.errors import UnusableInput
from assay.facts.fact import Place
from assay.rule import Finding, Judgement

COMMENT = re.compile(r"#\s*assay:\s*allow\s+([a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)")


def on_lines(judgement: Judgement, *, files: Collection[Path] = ()) -> Judgement:
    """Set aside the findings whose line carries `# assay: allow RULE`.

    files       where to look for such comments that set nothing aside; they are listed as unused
    """
    aside = tuple(finding for finding in judgement.findings if finding.rule in _allowed_at(_place(finding)))
    kept = tuple(_symptoms_freed(judgement.findings, aside))
    used = {(finding.rule, Path(place.file).resolve()) for finding in aside if (place := _place(finding))}
    unused = {
        name: None for file in files for names in allowances_in(file).values() for name in sorted(names)
        if (name, file.resolve()) not in used
    }
    return replace(
        judgement, findings=kept, allowed=(*judgement.allowed, *aside),
        allowed_unused=tuple(dict.fromkeys((*judgement.allowed_unused, *unused))),
    )


def of_project(folder: Path) -> tuple[str, ...]:
    """The rules that `[tool.assay] allow` names in the nearest pyproject.toml at or above `folder`.

    Raises UnusableInput where that file can't be read or its list isn't one of names.
    """
    for parent in (folder, *folder.parents):
        project = parent / "pyproject.toml"
        if project.is_file():
            return _listed(project)
    return ()


def _listed(project: Path) -> tuple[str, ...]:
    try:
        table = tomllib.loads(project.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise UnusableInput(f"{project} can't be read ({fault}): mend it or move it away.") from fault
    tool = table.get("tool")
    section = tool.get("assay", {}) if isinstance(tool, dict) else {}
    allow = section.get("allow", []) if isinstance(section, dict) else None
    if not isinstance(allow, list) or not all(isinstance(name, str) for name in allow):
        raise UnusableInput(f'{project}: [tool.assay] allow must be a list of rule names, such as ["decay-on-norms"].')
    return tuple(allow)


def _symptoms_freed(findings: tuple[Finding, ...], aside: tuple[Finding, ...]) -> Iterator[Finding]:
    """What is left; a symptom that an allowed cause explained stands for itself."""
    for finding in findings:
        if finding in aside:
            yield from finding.explains
        else:
            yield finding


def _place(finding: Finding) -> Place | None:
    return finding.where.place if finding.where else None


def _allowed_at(place: Place | None) -> frozenset[str]:
    return allowances_in(Path(place.file)).get(place.line, frozenset()) if place else frozenset()


def allowances_in(file: Path) -> dict[int, frozenset[str]]:
    """Rules allowed by line number; a comment counts for every line of its statement, however it is wrapped."""
    allowed: dict[int, frozenset[str]] = {}
    try:
        with tokenize.open(file) as source:
            text = source.read()
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline)) if COMMENT.search(text) else []
    except (OSError, SyntaxError, UnicodeDecodeError, tokenize.TokenError):
        return allowed
    first, names = 1, frozenset[str]()
    for token in tokens:
        found = COMMENT.search(token.string) if token.type == tokenize.COMMENT else None
        if found:
            names |= frozenset(re.split(r"\s*,\s*", found[1]))
        if token.type in (tokenize.NEWLINE, tokenize.NL) and (token.type == tokenize.NEWLINE or not token.line.strip()):
            if names:
                allowed |= dict.fromkeys(range(first, token.start[0] + 1), names)
            first, names = token.end[0] + 1, frozenset()
    return allowed
