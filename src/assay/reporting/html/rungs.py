"""The ladder: each stage with its verdict, its evidence and what it was the first to find."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reporting.html.element import Markup, tag
from assay.reporting.html.story import LADDER, StageStory, Story
from assay.reporting.words import duration

MARKS = {"passed": "✓", "failed": "✗", "waived": "≈", "unchecked": "–"}


def ladder(story: Story) -> Markup:
    """Every rung, those that were not reached too."""
    return tag("ol", (_rung(name, question, story) for name, question in LADDER.items()), class_="ladder")


def _rung(name: str, question: str, story: Story) -> Markup:
    stage = story.stages.get(name)
    if stage is None:
        heading = tag("h3", name, tag("span", question, class_="question"))
        return tag("li", tag("span", "○", class_="mark"), heading, tag("p", "not reached"), class_="open")
    return tag(
        "li", tag("span", MARKS[stage.verdict], class_="mark"),
        tag("h3", name, tag("span", question, class_="question"), tag("span", duration(stage.seconds), class_="time")),
        tag("p", tag("b", stage.verdict), ". ", stage.evidence), _waiver(stage), tag("ul", _found(stage)),
        class_=stage.verdict,
    )


def _waiver(stage: StageStory) -> Markup | None:
    if stage.verdict != "waived":
        return None
    return tag("p", tag("b", "Waived: "), stage.why or "no reason was kept", class_="why")


def _found(stage: StageStory) -> Iterator[Markup]:
    for finding in stage.findings:
        severity = str(finding["severity"])
        yield tag("li", tag("span", severity, class_=f"tag {severity}"), " ", finding["summary"])
