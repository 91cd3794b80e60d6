"""The ladder while it is climbed: a stage a line, with its mark, its evidence and its findings.

On a terminal the stage that is under way has a live line with a bar and the time left; nothing runs in the background,
the line is drawn when the stage reports. In a pipe every line is whole and plain, and a long stage gives a sign of life
every half minute.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from assay.reporting.findings import finding_text, render_finding
from assay.reporting.words import clean, duration

if TYPE_CHECKING:
    from assay.ladder import Outcome
    from assay.stage import Progress

Clock = Callable[[], float]

MARKS = {"passed": ("✓", "green"), "failed": ("✗", "bold red"), "waived": ("≈", "yellow"), "unchecked": ("–", "dim")}
SIGN_OF_LIFE = 30.0
"""Seconds between two lines on the same stage in a pipe: few enough for a log, often enough to see it lives."""

REDRAW = 0.1
"""Seconds between two drawings of the live line, so that drawing costs a fast loop next to nothing."""

NAME_WIDTH = 9
"""The longest name on the ladder."""

NARROW = 60
"""Columns below which the evidence stands under the stage's name, no longer beside it."""


class Estimate:
    """Time left of a stage, from the work done so far and the time that it took."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock()

    def left(self, progress: Progress) -> str:
        """`0:12 left`, or nothing while nothing is done."""
        if not 0 < progress.done <= progress.total:
            return ""
        spent = self._clock() - self._began
        return f"{duration(spent * (progress.total - progress.done) / progress.done)} left"


class PlainLadder:
    """Whole lines without control codes, for pipes and logs."""

    def __init__(self, stream: TextIO, *, clock: Clock = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._estimate = Estimate(clock)
        self._spoke = clock()
        self.folder: Path | None = None

    def opened(self, folder: Path) -> None:
        """Say where the run is kept."""
        self.folder = folder
        self._say(f"run: {folder}\n")

    def started(self, stage: str, question: str) -> None:
        """Say which stage begins, and its question."""
        self._estimate = Estimate(self._clock)
        self._say(f"{stage}: {question}\n")

    def progressed(self, stage: str, progress: Progress) -> None:
        """Give a sign of life, seldom."""
        if self._clock() - self._spoke < SIGN_OF_LIFE:
            return
        share = progress.done / progress.total if progress.total else 0.0
        words = [f"{share:.0%}", clean(progress.doing), self._estimate.left(progress)]
        self._say(f"{stage}: {', '.join(word for word in words if word)}\n")

    def ended(self, outcome: Outcome) -> None:
        """Say how it ended, with its evidence and its findings."""
        self._say(
            f"{outcome.stage}: {_verdict(outcome)}: {clean(outcome.evidence)}\n"
            + "".join(finding_text(finding, indent=4) for finding in outcome.findings),
        )

    def _say(self, text: str) -> None:
        encoding = self._stream.encoding or "utf-8"
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()
        self._spoke = self._clock()


class LiveLadder:
    """Lines in colour on a terminal; the last one is live while its stage is under way."""

    def __init__(self, console: Console, *, clock: Clock = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._estimate = Estimate(clock)
        self._drawn = -REDRAW
        self._live: Live | None = None
        self.folder: Path | None = None

    def opened(self, folder: Path) -> None:
        """Say where the run is kept."""
        self.folder = folder
        self._console.print(Text.assemble(("run ", "dim"), str(folder)))

    def started(self, stage: str, question: str) -> None:
        """Begin the live line with the stage's question."""
        self._estimate = Estimate(self._clock)
        line = Text.assemble(*_head("▸", "bold", stage), (question, "dim"), no_wrap=True, overflow="ellipsis")
        line.truncate(self._room, overflow="ellipsis")
        self._live = Live(line, console=self._console, auto_refresh=False, transient=True)
        self._live.start(refresh=True)

    def progressed(self, stage: str, progress: Progress) -> None:
        """Draw the live line anew, unless it was drawn a moment ago."""
        now = self._clock()
        if self._live is None or now - self._drawn < REDRAW:
            return
        self._drawn = now
        self._live.update(self._under_way(stage, progress), refresh=True)

    def ended(self, outcome: Outcome) -> None:
        """Put the stage's last word in the live line's place."""
        self.close()
        mark, style = MARKS[outcome.verdict]
        head = Text.assemble(*_head(mark, style, outcome.stage))
        body = Text.assemble((_verdict(outcome), style), ": ", clean(outcome.evidence))
        findings = [Padding(render_finding(finding), (0, 0, 0, 2)) for finding in outcome.findings]
        self._console.print(Group(_beside(head, body, self._console.width), *findings), highlight=False)

    def close(self) -> None:
        """Take the live line away; the terminal is as it was."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    @property
    def _room(self) -> int:
        """Columns for the live line: the terminal echoes ^C at its end, which must not wrap to a line of its own."""
        return self._console.width - len("^C") - 1

    def _under_way(self, stage: str, progress: Progress) -> Table:
        width = max(6, min(30, self._console.width - NAME_WIDTH - 24))
        bar = ProgressBar(total=max(progress.total, 1), completed=progress.done, width=width)
        row = Table.grid(padding=(0, 1, 0, 0), expand=True)
        row.width = self._room
        row.add_column(width=NAME_WIDTH + 2)
        row.add_column(width=width)
        row.add_column(no_wrap=True)
        row.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        head = Text.assemble(*_head("▸", "bold", stage))
        row.add_row(head, bar, self._estimate.left(progress), Text(clean(progress.doing), style="dim"))
        return row


@contextmanager
def ladder_display(stream: TextIO) -> Iterator[PlainLadder | LiveLadder]:
    """Shows a climb on this stream: live on a terminal that can move its cursor and show the marks, plain elsewhere.

    However the climb ends, the terminal is left as it was.
    """
    console = Console(file=stream, highlight=False)
    if not stream.isatty() or console.is_dumb_terminal or not console.encoding.startswith("utf"):
        yield PlainLadder(stream)
        return
    display = LiveLadder(console)
    try:
        yield display
    finally:
        display.close()


def _verdict(outcome: Outcome) -> str:
    """`passed in 4.2 s`, `waived in 3.0 s (why)`, `passed before`; what wasn't checked took no time."""
    if outcome.verdict == "unchecked":
        return "not checked"
    when = "before" if outcome.before else f"in {duration(outcome.seconds)}"
    why = f" ({clean(outcome.why)})" if outcome.verdict == "waived" and outcome.why else ""
    return f"{outcome.verdict} {when}{why}"


def _head(mark: str, style: str, stage: str) -> tuple[tuple[str, str], ...]:
    return ((f"{mark} ", style), (f"{stage:<{NAME_WIDTH}} ", "bold"))


def _beside(head: Text, body: Text, width: int) -> RenderableType:
    if width < NARROW:
        return Group(head, Padding(body, (0, 0, 0, 2)))
    row = Table.grid(expand=True)
    row.add_column(width=NAME_WIDTH + 3)
    row.add_column(ratio=1)
    row.add_row(head, body)
    return row
