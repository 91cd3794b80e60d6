"""Looks at the test rows: when, why again, and what they showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.facts.splits import SplitFacts
from assay.facts.training import BaselineScore, ScoreFacts, SeedScore
from assay.ledger import Entry
from assay.reporting.html.confusion import confusion
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import moment
from assay.reporting.html.scores import Field, strips
from assay.reporting.html.story import StageStory, Story


def openings(story: Story) -> Markup:
    """Every look at the test rows, the first one first."""
    if not story.opened and story.fact(SplitFacts) is None:
        return tag("p", "Not known here: which rows are test rows, only your own data module knows.", class_="calm")
    if not story.opened:
        return tag("p", "Sealed: no score on the test rows has been looked at. ", tag("code", "assay test"),
                   " opens them, once.", class_="calm")
    scored = {look.result.get("look"): look for look in story.tests}
    return fragment(*(_opening(entry, scored.get(entry.payload["look"]), number)
                      for number, entry in enumerate(story.opened, 1)))


def _opening(entry: Entry, look: StageStory | None, number: int) -> Markup:
    why = entry.payload.get("why")
    again = tag("p", tag("b", "Opened again: "), why, class_="why") if why else None
    heading = tag("h3", f"look {number}", tag("span", moment(entry.at), class_="question"))
    if look is None:
        return tag("div", heading, again, tag("p", "It was interrupted before its scores were kept."), class_="opening")
    return tag("div", heading, again, tag("p", look.evidence), tag("ul", _before(look.result)), _scores(look.result),
               class_="opening")


def _before(result: Mapping[str, Any]) -> Iterator[Markup]:
    """Looks before this one, those of other runs among them."""
    for each in result.get("openings", ())[:-1]:
        yield tag("li", f"The same rows were opened {moment(each['at'])}", f": {each['why']}" if each["why"] else "")


def _scores(result: Mapping[str, Any]) -> Markup | None:
    if not result.get("seeds"):
        return None
    scores = ScoreFacts(
        metric=result["metric"], sense=result["sense"], validation_rows=result["rows"],
        baselines=tuple(BaselineScore(name=name, scores=each) for name, each in result["baselines"].items()),
        seeds=tuple(SeedScore(seed=each["seed"], score=_number(each["score"]), epoch=None, failure=each["failure"])
                    for each in result["seeds"]),
    )
    interval = result["interval"]
    field = Field(scores=scores, mean=scores.mean, interval=(interval[0], interval[1]) if interval else None)
    return fragment(strips(field), confusion(result["seeds"], result.get("classes", ()), rows="Test rows"))


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
