"""Findings with what was seen, what they cost and what to do; what was allowed, and what could not be judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.facts.plain import Plain, plain
from assay.reporting.findings import place_words
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import amount, number
from assay.reporting.html.story import Story
from assay.reporting.words import SHOWN
from assay.rule import Finding


def findings(story: Story) -> Markup:
    """Every finding, the worst first."""
    found = story.judgement.findings
    if not found:
        return tag("p", f"None: {amount(len(story.judgement.passed), 'rule')} looked and found nothing.", class_="calm")
    return tag("div", (_card(finding, story) for finding in found), class_="cards")


def allowed(story: Story) -> Markup | None:
    """Findings that were set aside by name, and allowances that silence nothing."""
    aside, idle = story.judgement.allowed, story.judgement.allowed_unused
    if not aside and not idle:
        return None
    return fragment(
        tag("div", (_card(finding, story) for finding in aside), class_="cards aside"),
        (tag("p", "Allowed, yet it silences nothing: ", tag("code", name), ".") for name in idle),
    )


def coverage(story: Story) -> Markup:
    """Rules that passed, that could not be checked and why, that don't apply, and that broke."""
    judgement = story.judgement
    groups = (
        ("Not checked", _by_reason(judgement.not_checked)), ("Broken", _by_reason(judgement.broken)),
        ("Not applicable", _by_reason(judgement.not_applicable)),
    )
    passed = tag("div", tag("h3", "Passed", tag("span", str(len(judgement.passed)), class_="count")),
                 tag("p", _names(judgement.passed), class_="names"), class_="covered") if judgement.passed else None
    return fragment(
        *(tag("div", tag("h3", title, tag("span", str(sum(map(len, reasons.values()))), class_="count")),
              tag("dl", ((tag("dt", _names(names)), tag("dd", why)) for why, names in reasons.items())),
              class_="covered")
          for title, reasons in groups if reasons),
        passed,
    )


def _by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Rules that are silent for the same reason stand together."""
    grouped: dict[str, list[str]] = {}
    for name, why in reasons.items():
        grouped.setdefault(why, []).append(name)
    return grouped


def _names(names: tuple[str, ...] | list[str]) -> Iterator[Markup]:
    for name in names:
        yield tag("code", name)


def _card(finding: Finding, story: Story) -> Markup:
    place = place_words(finding.where)
    severity = str(finding.severity)
    return tag(
        "article",
        tag("p", tag("span", severity, class_=f"tag {severity}"), tag("code", finding.rule), _stage(finding, story),
            tag("code", place, class_="place") if place else None, class_="kind"),
        tag("h3", finding.summary),
        tag("p", tag("b", "Impact "), finding.impact, class_="impact") if finding.impact else None,
        tag("p", tag("b", "Do "), finding.fix, class_="fix"),
        tag("dl", _evidence(finding), class_="evidence"),
        tag("ul", (_symptom(each) for each in finding.explains), class_="explains") if finding.explains else None,
        class_=f"finding {severity}",
    )


def _stage(finding: Finding, story: Story) -> Markup | None:
    """The last stage that reported it as news."""
    names = [stage.name for stage in (*story.stages.values(), *story.tests)
             if any(each["summary"] == finding.summary for each in stage.findings)]
    return tag("span", f"at {names[-1]}", class_="at") if names else None


def _symptom(finding: Finding) -> Markup:
    return tag("li", tag("b", "explains "), finding.summary, " ", tag("code", finding.rule))


def _evidence(finding: Finding) -> Iterator[Markup]:
    for name, value in finding.evidence.items():
        if value is not None:
            yield tag("div", tag("dt", name.replace("_", " ")), tag("dd", said(plain(value))))


def said(value: Plain) -> str:
    """A plain value in words; long lists and mappings are cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, list):
        more = [f"and {len(value) - SHOWN} more"] if len(value) > SHOWN else []
        return ", ".join([_nested(item) for item in value[:SHOWN]] + more) or "none"
    if isinstance(value, dict):
        more = [f"and {len(value) - SHOWN} more"] if len(value) > SHOWN else []
        shown = [f"{name} {_nested(item)}" for name, item in list(value.items())[:SHOWN]]
        return ", ".join(shown + more) or "none"
    return "none" if value is None else value


def _nested(value: Plain) -> str:
    return f"({said(value)})" if isinstance(value, list | dict) else said(value)
