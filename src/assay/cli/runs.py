"""`assay runs`: every run, its outcome, and what differs from the one before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from assay.past_runs import Change, PastRun

LONGEST = 60
"""Characters of a value that are shown; the JSON document holds all of it."""

MARKS = {"passed": "passed", "failed": "FAILED", "waived": "waived", "unchecked": "not checked"}


@click.command()
@click.option("--runs", "root", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="The folder that holds the runs.")
@click.option("--json", "target", metavar="FILE", help="Write the runs as JSON; - is standard output.")
def command(root: Path, target: str | None) -> None:
    """List every run: how far it came, its score, and what differs from the one before with the same recipe's name."""
    from assay.past_runs import past_runs

    began = time.perf_counter()
    runs = past_runs(root)
    if target is not None:
        _write(runs, target, seconds=time.perf_counter() - began)
    if target != "-":
        lines = [line for run in runs for line in _lines(run)]
        click.echo("\n".join(lines) if lines else f"There are no runs in {root} yet: `assay run RECIPE` makes one.")


def _write(runs: tuple[PastRun, ...], target: str, *, seconds: float) -> None:
    from assay.reporting import document
    from assay.rule import Judgement

    listed = [{**vars(run), "folder": str(run.folder)} for run in runs]
    made = document.document(
        verb="runs", judgement=Judgement(), result={"runs": listed}, seconds={"total": seconds},
    )
    document.write(made, target)


def _lines(run: PastRun) -> Iterator[str]:
    from assay.reporting.words import clean

    if run.fault is not None:
        yield f"{run.folder.name}: {run.fault}"
        return
    yield clean(f"{run.folder.name}  {run.at[:16].replace('T', ' ')}  {', '.join(_outcome(run))}")
    for stage, why in run.waived:
        yield clean(f"    waived {stage}: {why}")
    for number, test in enumerate(run.tests, 1):
        score = "no score" if test.mean is None else f"{run.metric or 'score'} {test.mean:.4f}"
        again = f" (opened again: {test.why})" if test.why else ""
        yield clean(f"    test {score}{again}" if number == 1 else f"    test, opening {number}: {score}{again}")
    if run.opened > len(run.tests):
        yield f"    test opened without a score being kept: `assay test {run.folder}` finishes it"
    if run.before is not None:
        yield f"    the same as {run.before}" if not run.changes else f"    differs from {run.before}:"
        for change in run.changes:
            yield clean(f"        {_change(change)}")


def _outcome(run: PastRun) -> Iterator[str]:
    by = f" by {', '.join(run.stopped_by)}" if run.stopped_by else ""
    yield f"{run.stage} {run.verdict}{by}" if run.stage else "no stage has ended"
    if run.score is not None:
        yield f"{run.metric} {run.score:.4f} over {run.seeds} seed{'s' if run.seeds != 1 else ''}"


def _change(change: Change) -> str:
    return f"{change.path}: {_shown(change.before)} → {_shown(change.now)}"


def _shown(value: Any) -> str:
    from assay.recipe.leaves import plain_text

    text = plain_text(value)
    if text.startswith("sha256:"):
        return text[:19]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
