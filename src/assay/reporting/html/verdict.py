"""The page's head: how the run ended in one sentence, and its few figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.facts.splits import SplitFacts
from assay.facts.training import ScoreFacts
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import alike, amount, metric_words, moment
from assay.reporting.html.story import LADDER, Story
from assay.reporting.words import duration


def head(story: Story) -> Markup:
    """Name, verdict, sentence and figures."""
    word, state = _verdict(story)
    return tag(
        "header",
        tag("p", tag("span", "assay", class_="brand"), " report of ", tag("b", story.name), class_="over"),
        tag("p", tag("span", word, class_=f"badge {state}"), class_="state"),
        tag("h1", sentence(story)),
        tag("dl", _figures(story), class_="figures"),
        tag("p", _when(story), class_="when"),
    )


def sentence(story: Story) -> str:
    """How it ended, in one sentence."""
    stopped = story.stopped
    if stopped is not None:
        cause = next((finding["summary"] for finding in stopped.findings if finding["severity"] == "error"), "")
        return f"Stopped at {stopped.name}" + (f": {cause}." if cause else ".")
    waived = [stage.name for stage in story.stages.values() if stage.verdict == "waived"]
    beside = f", past the failed gate of {' and '.join(waived)}" if waived else ""
    if "seeds" in story.stages:
        return f"Climbed to seeds{beside}{_scores(story)}.{_on_test_rows(story)}"
    if not story.stages:
        return "No stage has ended yet."
    left = len(LADDER) - len(story.stages)
    return f"Climbed as far as {list(story.stages)[-1]}{beside}; {amount(left, 'stage')} of the ladder not climbed yet."


def _verdict(story: Story) -> tuple[str, str]:
    if story.stopped is not None:
        return "✗ stopped at a gate", "failed"
    if len(story.opened) > 1 or any(look.verdict != "passed" for look in story.tests):
        return "≈ test rows opened before", "waived"
    if any(stage.verdict == "waived" for stage in story.stages.values()):
        return "≈ passed, with a waiver", "waived"
    if "seeds" in story.stages:
        return ("✓ no gate failed" if _count(story, "unchecked") else "✓ every gate passed"), "passed"
    return "… not at the top yet", "open"


def _scores(story: Story) -> str:
    scores = story.fact(ScoreFacts)
    if scores is None or scores.mean is None:
        return ""
    deviation = story.stages["seeds"].result["deviation"]
    written = alike([scores.mean, *(each.scores.get(scores.metric) for each in scores.baselines)])
    said = f": {metric_words(scores.metric)} {written(scores.mean)}"
    said += f" ± {written(deviation)} over {len(scores.scores)} seeds" if deviation is not None else " with one seed"
    best = best_baseline(scores)
    if best is None:
        return said
    if scores.gain(scores.mean, best[1]) <= 0:
        return f"{said}; no better than {best[0]}, which gets {written(best[1])}"
    return f"{said}; the best baseline, {best[0]}, gets {written(best[1])}"


def _on_test_rows(story: Story) -> str:
    """The first look's score, and whether there were others."""
    if not story.opened:
        return ""
    return f" On the test rows, {_opened(len(story.opened))}: {_tested(story)}."


def best_baseline(scores: ScoreFacts) -> tuple[str, float] | None:
    """The name and score of the best baseline by the selecting metric."""
    known = [(each.name, each.scores[scores.metric]) for each in scores.baselines if scores.metric in each.scores]
    return max(known, key=lambda pair: scores.gain(pair[1], 0.0)) if known else None


def _figures(story: Story) -> Iterator[Markup]:
    scores = story.fact(ScoreFacts)
    if scores is not None and scores.mean is not None:
        best = best_baseline(scores)
        written = alike([scores.mean, best[1] if best else None])
        over = "validation, mean of " + amount(len(scores.scores), "seed") if len(scores.scores) > 1 else "validation"
        yield _figure(metric_words(scores.metric), written(scores.mean), over)
        if best:
            yield _figure("best baseline", written(best[1]), best[0])
    yield _figure("gates passed", f"{_count(story, 'passed')} of {len(LADDER)}", _others(story))
    counted = Counter(str(finding.severity) for finding in story.judgement.findings)
    said = [amount(counted[severity], severity) for severity in ("error", "warning", "note") if counted[severity]]
    yield _figure("findings", str(len(story.judgement.findings)), ", ".join(said) or "nothing found")
    if story.opened or story.fact(SplitFacts) is not None:
        yield _figure("test set", _opened(len(story.opened)), _tested(story))
    yield _figure("time", duration(sum(stage.seconds for stage in story.stages.values())), "in all stages")


def _count(story: Story, verdict: str) -> int:
    return sum(stage.verdict == verdict for stage in story.stages.values())


def _others(story: Story) -> str:
    """Gates that weren't passed, yet didn't stop the climb."""
    said = [f"{count} {verdict}" for verdict in ("waived", "unchecked") if (count := _count(story, verdict))]
    return ", ".join(said) or "none waived"


def _opened(times: int) -> str:
    return {0: "sealed", 1: "opened once"}.get(times, f"opened {times} ×")


def _tested(story: Story) -> str:
    """The mean score of the first look, which alone is an estimate of the future."""
    if not story.opened:
        return "no choice has seen it"
    first = story.tests[0].result if story.tests else {}
    if first.get("mean") is None:
        return "no score was kept"
    return f"{metric_words(first['metric'])} {alike([first['mean']])(first['mean'])}"


def _figure(name: str, value: str, beside: str) -> Markup:
    return tag("div", tag("dt", name), tag("dd", value), tag("dd", beside, class_="beside"))


def _when(story: Story) -> Markup:
    made, last = story.entries[0], story.entries[-1]
    return fragment(
        f"Begun {moment(made.at)}, last entry {moment(last.at)}. Folder ", tag("code", str(story.folder)), ".",
    )
