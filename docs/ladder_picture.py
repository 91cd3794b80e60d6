"""Draws docs/ladder.svg: a climb on digits as a terminal shows it. Run as `python docs/ladder_picture.py`."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from assay.drafting import draft
from assay.ladder import Outcome
from assay.reporting.terminal import LiveLadder
from assay.running import Silent, run
from assay.sources import find


class Kept(Silent):
    """Keeps how the stages ended."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def ended(self, outcome: Outcome) -> None:
        """Keep it."""
        self.outcomes.append(outcome)


def picture() -> str:
    """The climb as SVG, without fonts from elsewhere."""
    source, digits = find("digits")
    kept = Kept()
    with tempfile.TemporaryDirectory() as folder:
        recipe = Path(folder) / "recipe.yaml"
        recipe.write_text(draft(digits, source=source).text())
        run(recipe, runs=Path(folder) / "runs", display=kept)
    console = Console(record=True, force_terminal=True, width=104, file=io.StringIO())
    console.print("[bold]$ assay run recipe.yaml[/bold]", highlight=False)
    ladder = LiveLadder(console)
    for outcome in kept.outcomes:
        ladder.ended(outcome)
    svg = console.export_svg(title="assay", theme=MONOKAI)
    return re.sub(r"@font-face\s*{[^}]*}", "", svg)


if __name__ == "__main__":
    (Path(__file__).parent / "ladder.svg").write_text(picture())
