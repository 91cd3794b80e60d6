"""The page: head, sections in order, style sheet and script inside it; nothing is ever fetched."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from assay.ledger import write_document
from assay.reporting.html.choices import choices
from assay.reporting.html.confusion import validation_confusion
from assay.reporting.html.element import Markup, tag, trusted
from assay.reporting.html.found import allowed, coverage, findings
from assay.reporting.html.inputs import columns, examples, splits
from assay.reporting.html.openings import openings
from assay.reporting.html.provenance import provenance
from assay.reporting.html.rungs import ladder
from assay.reporting.html.scores import comparison
from assay.reporting.html.story import Story, read_story
from assay.reporting.html.training_curves import training_curves
from assay.reporting.html.verdict import head, sentence

REPORT = "report.html"


@dataclass(frozen=True)
class Section:
    """A part of the page; `make` gives None where the run has nothing for it."""

    name: str
    title: str
    lead: str
    make: Callable[[Story], Markup | None]


SECTIONS = (
    Section("ladder", "The ladder", "A stage asks one question; the climb stops at the first gate that fails.", ladder),
    Section("findings", "Findings", "What is wrong, what was seen, what it costs and what to do.", findings),
    Section("allowed", "Allowed", "Findings that were set aside by name.", allowed),
    Section("scores", "Against the baselines", "What the model is worth beside models that need no care.", comparison),
    Section("test", "The test set", "Rows that no choice has seen; every look at them stands here.", openings),
    Section("curves", "Training", "How every seed came to its score.", training_curves),
    Section("confusion", "By class", "What is taken for what.", validation_confusion),
    Section("splits", "The data", "How the rows are divided.", splits),
    Section("columns", "Columns", "The table as it was read.", columns),
    Section("examples", "What the model sees", "Training examples exactly as they enter the network.", examples),
    Section("choices", "Choices", "The recipe, the least founded choices first.", choices),
    Section("coverage", "Rules", "What was judged, and what could not be.", coverage),
    Section("record", "Record", "What the numbers stand on.", provenance),
)
"""The sections in their order."""


def write_report(folder: Path) -> Path:
    """Write the report of the run in `folder` to its report.html, and give the path.

    Raises RunFolderError where the folder is none of a run, is damaged, or the file can't be written.
    """
    return write_page(render(read_story(folder)), folder / REPORT)


def report_path(folder: Path, output: Path | None) -> Path:
    """Where the report goes: `output` if given, into it if it is a folder; else the run's report.html."""
    if output is None:
        return folder / REPORT
    return output / f"{folder.resolve().name}.html" if output.is_dir() else output


def write_page(page: str, path: Path) -> Path:
    """Write it, whole or not at all, and give the path. Raises RunFolderError where that fails."""
    write_document(path, page)
    return path


def render(story: Story) -> str:
    """The whole page."""
    style, script = _own("report.css"), _own("report.js")
    shown = [(section, made) for section in SECTIONS if (made := section.make(story)) is not None]
    body = tag(
        "body", tag("button", "light / dark", id="theme", type="button", title="light or dark"), head(story),
        tag("nav", (tag("a", section.title, href=f"#{section.name}") for section, _ in shown), aria_label="Sections"),
        tag("main", (_section(section, made) for section, made in shown)), _foot(), tag("script", trusted(script)),
    )
    page = tag("html", tag("head", _meta(story, script), tag("style", trusted(style))), body, lang="en")
    return f"<!doctype html>\n{page.text}\n"


def _section(section: Section, made: Markup) -> Markup:
    side = tag("div", tag("h2", section.title), tag("p", section.lead), class_="side")
    return tag("section", side, tag("div", made, class_="body"), id=section.name, class_="part")


def _meta(story: Story, script: str) -> Iterator[Markup]:
    """Nothing from elsewhere may be loaded, and no script but the page's own may run."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    yield tag("meta", charset="utf-8")
    yield tag("meta", http_equiv="Content-Security-Policy", content=policy)
    yield tag("meta", name="viewport", content="width=device-width, initial-scale=1")
    yield tag("meta", name="color-scheme", content="light dark")
    yield tag("meta", name="description", content=sentence(story))
    yield tag("title", f"{story.name} · assay")


def _foot() -> Markup:
    return tag("footer", f"Written by assay {metadata.version('assay')} from the run's folder alone; ",
               tag("code", "assay report RUN"), " writes it anew.")


def _own(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
