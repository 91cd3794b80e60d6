"""The ladder's display: live lines on a terminal, whole plain lines in a pipe, and a terminal left as it was."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import Any

import pytest
from rich.console import Console

from assay.reporting.terminal import LiveLadder, PlainLadder, ladder_display
from assay.rule import Finding
from tests.reporting.findings import PROBABILITIES
from tests.reporting.test_findings import Terminal

QUESTION = "Can it memorise a tiny batch?"


@dataclass(frozen=True)
class Ended:
    """An outcome of the ladder, without the ladder."""

    verdict: str = "passed"
    stage: str = "overfit"
    evidence: str = "32 examples, loss 0.000"
    findings: tuple[Finding, ...] = ()
    seconds: float = 4.2
    why: str | None = None
    before: bool = False


@dataclass(frozen=True)
class Done:
    """A stage's progress."""

    done: int
    total: int = 10
    doing: str = "attempt 1 at 3e-3"


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def plain(*outcomes: Any) -> str:
    pipe = io.StringIO()
    ladder = PlainLadder(pipe)
    for outcome in outcomes:
        ladder.started(outcome.stage, QUESTION)
        ladder.ended(outcome)
    return pipe.getvalue()


def live(width: int, *outcomes: Any) -> str:
    screen = Terminal()
    ladder = LiveLadder(Console(file=screen, width=width, force_terminal=True, no_color=True, highlight=False))
    for outcome in outcomes:
        ladder.ended(outcome)
    return re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())


def test_a_stage_in_a_pipe_is_two_whole_lines_and_its_findings() -> None:
    said = plain(Ended("failed", findings=(PROBABILITIES,)))
    assert said.startswith(f"overfit: {QUESTION}\noverfit: failed in 4.2 s: 32 examples, loss 0.000\n    error: cross_")
    assert said.endswith("rule: loss-on-probabilities\n")
    assert "\x1b" not in said


@pytest.mark.parametrize(("outcome", "words"), [
    (Ended("waived", why="two rows are equal"), "waived in 4.2 s (two rows are equal): "),
    (Ended(before=True), "overfit: passed before: 32"),
])
def test_a_waiver_and_an_earlier_session_are_told(outcome: Ended, words: str) -> None:
    assert words in plain(outcome)
    assert words.removeprefix("overfit: ") in live(100, outcome)


def test_a_long_stage_gives_a_sign_of_life_twice_a_minute() -> None:
    pipe, clock = io.StringIO(), Clock()
    ladder = PlainLadder(pipe, clock=clock)
    ladder.started("single", "Does it beat the baselines?")
    for done in range(1, 101):
        clock.now += 1
        ladder.progressed("single", Done(done, 100, "epoch 3"))  # type: ignore[arg-type]
    assert pipe.getvalue().splitlines()[1:] == [
        "single: 30%, epoch 3, 1:10 left", "single: 60%, epoch 3, 40 s left", "single: 90%, epoch 3, 10 s left",
    ]


@pytest.mark.parametrize("progress", [Done(0), Done(0, 0), Done(5, 3)])
def test_no_time_is_promised_without_ground(progress: Done) -> None:
    pipe, clock = io.StringIO(), Clock()
    ladder = PlainLadder(pipe, clock=clock)
    clock.now += 60
    ladder.progressed("single", progress)  # type: ignore[arg-type]
    assert "left" not in pipe.getvalue()
    assert "attempt 1" in pipe.getvalue()


@pytest.mark.parametrize("width", [40, 100])
def test_a_terminal_shows_mark_evidence_and_findings_within_its_width(width: int) -> None:
    said = live(width, Ended(), Ended("failed", "smoke", findings=(PROBABILITIES,)))
    assert said.startswith("✓ overfit")
    assert "\n✗ smoke" in said
    assert "loss-on-probabilities" in said
    assert max(len(line) for line in said.splitlines()) <= width


def test_the_live_line_has_a_bar_and_the_time_left() -> None:
    screen, clock = Terminal(), Clock()
    ladder = LiveLadder(Console(file=screen, width=100, force_terminal=True, no_color=True), clock=clock)
    ladder.started("overfit", QUESTION)
    clock.now += 4
    ladder.progressed("overfit", Done(5))  # type: ignore[arg-type]
    drawn = screen.getvalue()
    assert QUESTION in drawn
    assert "━" in drawn
    assert "4.0 s left" in drawn
    assert "attempt 1 at 3e-3" in drawn
    ladder.progressed("overfit", Done(6))  # type: ignore[arg-type]
    assert screen.getvalue() == drawn, "nothing is drawn twice within a moment"
    ladder.close()
    assert screen.getvalue().endswith("\x1b[?25h") or "\x1b[?25h" in screen.getvalue()[len(drawn):]


@pytest.mark.parametrize("width", [40, 90])
def test_the_live_line_leaves_room_for_the_echo_of_ctrl_c(width: int) -> None:
    screen, clock = Terminal(), Clock()
    ladder = LiveLadder(Console(file=screen, width=width, force_terminal=True, no_color=True), clock=clock)
    ladder.started("overfit", QUESTION + " " + "x" * width)
    clock.now += 4
    ladder.progressed("overfit", Done(5, doing="y" * width))  # type: ignore[arg-type]
    lines = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "\r", screen.getvalue()).replace("\n", "\r").split("\r")
    assert width // 2 < max(map(len, lines)) <= width - len("^C") - 1
    ladder.close()


def test_the_terminal_is_left_as_it_was_when_the_climb_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()

    def climb() -> None:
        with ladder_display(screen) as ladder:
            assert isinstance(ladder, LiveLadder)
            ladder.started("overfit", QUESTION)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        climb()
    hidden, shown = screen.getvalue().rfind("\x1b[?25l"), screen.getvalue().rfind("\x1b[?25h")
    assert 0 <= hidden < shown


@pytest.mark.parametrize(("stream", "term"), [(io.StringIO(), "xterm"), (Terminal(), "dumb")], ids=["pipe", "dumb"])
def test_what_cannot_move_a_cursor_gets_plain_lines(
    stream: io.StringIO, term: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", term)
    with ladder_display(stream) as ladder:
        assert isinstance(ladder, PlainLadder)
        ladder.started("overfit", QUESTION)
    assert stream.getvalue() == f"overfit: {QUESTION}\n"
