"""`assay run`: climb the ladder with a recipe, or go on with a run."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from assay.errors import UnusableInput

if TYPE_CHECKING:
    from assay.ladder import Climb
    from assay.seal import Look


@click.command()
@click.argument("target", metavar="RECIPE|RUN", type=click.Path(path_type=Path))
@click.option("--to", metavar="STAGE", default="seeds", show_default=True, help="The last stage to climb to.")
@click.option("--waive", "waived", multiple=True, metavar="STAGE",
              help="Go on past this stage's failed gate; needs --why, and every report shows it.")
@click.option("--why", "reasons", multiple=True, metavar="TEXT", help="Why a stage is waived; one for each --waive.")
@click.option("--set", "settings", multiple=True, metavar="PATH=VALUE",
              help="A value in place of the recipe's, such as training.learning_rate=3e-3.")
@click.option("--allow", multiple=True, metavar="RULE", help="Set this rule's findings aside; they are still listed.")
@click.option("--runs", type=click.Path(path_type=Path), default=Path("runs"), show_default=True,
              help="Where new runs are made.")
@click.option("--json", "json_target", metavar="FILE", help="Write what came of it as JSON; - is standard output.")
def command(target: Path, runs: Path, json_target: str | None, **options: Any) -> int:
    """Climb the ladder of stages with a recipe, stopping at the first gate that fails.

    RECIPE makes a new folder, runs/NAME-001; the folder of a RUN is gone on with where it stood.
    """
    waivers = _waivers(options["waived"], options["reasons"])
    began = time.perf_counter()
    if not target.exists():
        raise UnusableInput(f"There is no recipe or run at {target}: `assay init digits` writes a first recipe.")
    from assay.reporting.document import refuse_unwritable
    from assay.reporting.html.page import write_report

    refuse_unwritable(json_target)
    climb, shown = _climbed(target, runs, waivers, options, to_stderr=json_target == "-")
    for line in _closing(climb):
        click.echo(line, file=shown)
    if json_target is not None:
        _write(climb, json_target, seconds=time.perf_counter() - began)
    click.echo(f"The report is {write_report(climb.folder)}.", file=shown)
    return 1 if climb.stopped else 0


def _climbed(
    target: Path, runs: Path, waivers: dict[str, str], options: dict[str, Any], *, to_stderr: bool,
) -> tuple[Climb, TextIO]:
    """Climb under a display on the stream that is given back."""
    from assay.reporting.terminal import ladder_display

    shown = sys.stderr if to_stderr else sys.stdout
    if sys.stderr.isatty():
        click.echo("Loading torch and Lightning …", err=True)
    from assay.running import Asked, run

    with ladder_display(shown) as display:
        try:
            climb = run(
                target, asked=Asked(to=options["to"], waivers=waivers, allow=options["allow"]), runs=runs,
                overrides=options["settings"], display=display,
            )
        except KeyboardInterrupt:
            if display.folder is not None:
                click.echo(f"Interrupted: `assay run {display.folder}` goes on where it stood.", err=True)
            raise
    return climb, shown


def _waivers(stages: tuple[str, ...], reasons: tuple[str, ...]) -> dict[str, str]:
    if len(stages) != len(reasons) or not all(reason.strip() for reason in reasons):
        raise UnusableInput(
            f"{len(stages)} × --waive and {len(reasons)} × --why were given: each waived stage needs its reason, "
            "as in `--waive single --why 'known to be weak on this table'`.",
        )
    twice = [stage for stage in stages if stages.count(stage) > 1]
    if twice:
        raise UnusableInput(f"--waive {twice[0]} was given more than once: give each stage one reason.")
    return dict(zip(stages, reasons, strict=True))


def _write(climb: Climb, target: str, *, seconds: float) -> None:
    from assay.reporting import document

    made = document.document(
        verb="run", judgement=climb.judgement, verdict="fail" if climb.stopped else "pass",
        result={
            "folder": str(climb.folder),
            "report": str(climb.folder / "report.html"),
            "stopped_at": climb.stopped.stage if climb.stopped else None,
            "stages": [
                {"stage": each.stage, "verdict": each.verdict, "why": each.why, "evidence": each.evidence,
                 "findings": [finding.rule for finding in each.findings], "result": each.result}
                for each in climb.outcomes
            ],
            "test_openings": [{"at": look.at, "why": look.why} for look in _looks(climb)],
        },
        seconds={"total": seconds, **{each.stage: each.seconds for each in climb.outcomes}},
    )
    document.write(made, target)


def _looks(climb: Climb) -> tuple[Look, ...]:
    """The openings of the test set that the run's ledger knows."""
    from assay.ledger import Ledger
    from assay.run_folder import LEDGER
    from assay.seal import looks_of

    return looks_of(Ledger(climb.folder / LEDGER))


def _closing(climb: Climb) -> Iterator[str]:
    """What it came to, and what to do next."""
    from assay.reporting.findings import unchecked_lines

    yield ""
    unchecked = len(climb.judgement.not_checked)
    yield (
        f"{len(climb.judgement.passed)} rules passed, {len(climb.judgement.findings)} found something, "
        f"{unchecked} could not be checked."
    )
    yield from unchecked_lines(climb.judgement)
    for finding in climb.judgement.allowed:
        yield f"Allowed: {finding.rule}: {finding.summary}"
    for name in climb.judgement.allowed_unused:
        yield f"Allowed, yet it silences nothing: {name}"
    for name, why in climb.judgement.broken.items():
        yield f"Broken rule {name}: {why}. This is a defect of assay's; please report it."
    for look in _looks(climb):
        again = f" once more: {look.why}" if look.why else ""
        yield f"The test set was opened at {look.at}{again}."
    if climb.stopped:
        yield (
            f"Stopped at {climb.stopped.stage}. Mend what it found and start again, or go past it with "
            f"`assay run {climb.folder} --waive {climb.stopped.stage} --why ...`."
        )
    else:
        yield f"Climbed to {climb.outcomes[-1].stage}. Everything is in {climb.folder}."
