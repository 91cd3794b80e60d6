"""The recipe's choices by status, each with its reason and where it came from."""

from __future__ import annotations

from collections.abc import Iterator

from assay.recipe.choice import Status
from assay.recipe.origin import Origin
from assay.recipe.plan import StatedChoice
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.story import Story

ORDER = (Status.UNCERTAIN, Status.COPIED, Status.JUSTIFIED)
"""What deserves a second thought first."""


def choices(story: Story) -> Markup:
    """Stated choices one a row; defaults that nobody chose in one list at the end."""
    stated = [each for each in story.plan.choices if each.origin is not Origin.DEFAULT or each.why or each.source]
    silent = [each for each in story.plan.choices if each not in stated]
    return fragment(*_groups(stated), _defaults(silent))


def _groups(stated: list[StatedChoice]) -> Iterator[Markup]:
    for status in ORDER:
        listed = [choice for choice in stated if choice.status is status]
        if listed:
            heading = tag("h3", tag("span", str(status), class_=f"status {status}"),
                          tag("span", str(len(listed)), class_="count"))
            yield tag("div", heading, tag("dl", map(_choice, listed), class_="choices"))


def _choice(choice: StatedChoice) -> Markup:
    reasons = [choice.why, f"from {choice.source}" if choice.source else None]
    why = "; ".join(reason for reason in reasons if reason)
    return tag(
        "div",
        tag("dt", tag("code", choice.path)),
        tag("dd", choice.value, class_="value"),
        tag("dd", why or "no reason given", tag("span", str(choice.origin), class_="origin"), class_="reason"),
    )


def _defaults(silent: list[StatedChoice]) -> Markup | None:
    if not silent:
        return None
    return tag(
        "div", tag("h3", tag("span", "defaults", class_="status"), tag("span", str(len(silent)), class_="count")),
        tag("p", (tag("code", f"{choice.path} = {choice.value}") for choice in silent), class_="names"),
    )
