"""Findings read well in a pipe, on a narrow terminal, and can't steer it."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from assay.facts.fact import Place
from assay.reporting.findings import finding_text, place_words, print_findings, render_finding, unchecked_lines
from assay.reporting.words import duration, evidence_line
from assay.rule import Judgement, Where
from tests.reporting.findings import EMPTY, PROBABILITIES


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_finding_in_plain_lines() -> None:
    assert finding_text(PROBABILITIES) == (
        "error: cross_entropy is given probabilities: softmax is applied twice (train.py:42, head, step 0)\n"
        "    seen: row sums 1, 1 · chain NllLoss, LogSoftmax, Softmax\n"
        "    impact: the loss can't fall below 1.461 = log(1 + 9/e)\n"
        "    fix: pass the scores that come before softmax\n"
        "    explains: the loss stalls at 1.4612 [plateau-at-floor]\n"
        "    rule: loss-on-probabilities\n"
    )


def test_a_finding_that_points_nowhere() -> None:
    assert finding_text(EMPTY).splitlines()[0] == "warning: validation holds [bold]36[/bold] rows"


@pytest.mark.parametrize("width", [20, 40, 100])
def test_a_terminal_wraps_and_loses_nothing(width: int) -> None:
    screen = Terminal()
    Console(file=screen, width=width, highlight=False, no_color=True).print(render_finding(PROBABILITIES))
    said = re.sub(r"\x1b\[\d*m", "", screen.getvalue())
    assert max(len(line) for line in said.splitlines()) <= width
    assert "".join(said.split()) == "".join(finding_text(PROBABILITIES).split())


def test_markup_in_a_finding_is_text() -> None:
    screen = Terminal()
    Console(file=screen, width=80).print(render_finding(EMPTY))
    assert "[bold]36[/bold]" in re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["pipe", "terminal"])
def test_a_name_cannot_steer_the_terminal(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    evil = replace(EMPTY, summary="column \x1b[2Jx\r\a", where=Where(place=Place("a\x1b]0;b.py", 1)),
                   evidence={"column": "\x1b[31m", "names": ["\x9b0m"]}, fix="rename \x08")
    print_findings([evil], stream)
    said = re.sub(r"\x1b\[[01]m", "", stream.getvalue())  # bold labels
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", said)
    assert "\\x1b[2J" in said


def test_a_pipe_gets_no_control_codes_and_unbroken_lines() -> None:
    pipe = io.StringIO()
    print_findings([PROBABILITIES, EMPTY], pipe)
    assert pipe.getvalue() == finding_text(PROBABILITIES) + finding_text(EMPTY)


def test_a_pipe_that_knows_ascii_only_is_not_an_error() -> None:
    raw = io.BytesIO()
    pipe = io.TextIOWrapper(raw, encoding="ascii")
    print_findings([PROBABILITIES], pipe)
    assert b"row sums 1, 1 ? chain" in raw.getvalue()


@pytest.mark.parametrize(("colour", "expected"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_can_be_turned_off(monkeypatch: pytest.MonkeyPatch, colour: dict[str, str], expected: bool) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    for name, value in colour.items():
        monkeypatch.setenv(name, value)
    screen = Terminal()
    print_findings([PROBABILITIES], screen)
    assert ("\x1b[1;31m" in screen.getvalue()) is expected


def test_evidence_in_a_line() -> None:
    evidence: dict[str, object] = {"rates": [1e-3, 3e-3], "seen": True, "counts": {"norm": 2}, "none": (),
                                   "absent": None, "rows": list(range(9)), "pairs": [(1, 2)]}
    assert evidence_line(evidence) == (
        "rates 0.001, 0.003 · seen yes · counts norm 2 · none none · rows 0, 1, 2, 3, 4, 5, and 3 more · pairs (1, 2)"
    )


@pytest.mark.parametrize(("seconds", "words"), [
    (0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1:00"), (185, "3:05"), (3723, "1:02:03"),
])
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(("where", "words"), [
    (None, ""), (Where(), ""), (Where(module="head"), "head"), (Where(step=0), "step 0"),
    (Where(place=Place("a.py", 3), step=7), "a.py:3, step 7"),
])
def test_places(where: Where | None, words: str) -> None:
    assert place_words(where) == words


def test_rules_that_could_not_look_are_named_under_their_reason() -> None:
    judgement = Judgement(not_checked={"diverged": "no curves", "unstable": "one seed", "head-size": "no curves"})
    assert unchecked_lines(judgement) == [
        "  not checked, no curves: diverged, head-size", "  not checked, one seed: unstable",
    ]
    assert unchecked_lines(Judgement()) == []
    many = Judgement(not_checked={f"rule-{number}": "no table" for number in range(30)})
    assert unchecked_lines(many)[0].endswith("rule-4, rule-5, and 24 more")
