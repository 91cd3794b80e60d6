"""`assay test`: open the sealed test set of a run, once."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.errors import UnusableInput

if TYPE_CHECKING:
    from assay.opening import Opened

WIDEST_MATRIX = 12
"""Classes up to which the confusion matrix is printed; the JSON document and the run's folder hold any."""


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--again", is_flag=True, help="Open rows that were opened before; needs --why.")
@click.option("--why", metavar="TEXT", help="Why to open them again.")
@click.option("--json", "target", metavar="FILE", help="Write the scores as JSON; - is standard output.")
def command(run: Path, again: bool, why: str | None, target: str | None) -> int:
    """Score the best weights of every seed of RUN on its test rows, which this opens once and for all.

    A second opening is refused with exit code 1, unless --again --why TEXT says why; every report then shows it.
    """
    if again != bool(why and why.strip()):
        raise UnusableInput(
            "--again and --why go together, as in `assay test RUN --again --why 'the report was lost'`."
        )
    if not run.is_dir():
        raise UnusableInput(f"There is no run at {run}: `assay run RECIPE` makes one, and `assay runs` lists them.")
    from assay.reporting.document import refuse_unwritable
    from assay.reporting.html.page import write_report

    refuse_unwritable(target)
    began = time.perf_counter()
    opened = _opened(run, why, to_stderr=target == "-")
    for line in _closing(opened):
        click.echo(line, err=target == "-")
    if target is not None:
        _write(opened, target, seconds=time.perf_counter() - began)
    if opened.outcome.verdict == "failed":
        return 1
    click.echo(f"The report is {write_report(opened.folder)}.", err=target == "-")
    return 0


def openings_file(environment: Mapping[str, str]) -> Path:
    """Where the user's list of openings lies: in XDG_DATA_HOME, or ~/.local/share where that isn't set.

    Raises UnusableInput where there is no home.
    """
    stated = environment.get("XDG_DATA_HOME", "")
    if Path(stated).is_absolute():
        return Path(stated) / "assay" / "openings.jsonl"
    home = environment.get("HOME", "")
    if not Path(home).is_absolute():
        raise UnusableInput(
            "Neither XDG_DATA_HOME nor HOME names a folder, so no list of openings can be kept and the test set stays "
            "closed: set XDG_DATA_HOME to a folder of yours that lasts."
        )
    return Path(home) / ".local" / "share" / "assay" / "openings.jsonl"


def _opened(run: Path, why: str | None, *, to_stderr: bool) -> Opened:
    from assay.reporting.terminal import ladder_display

    user_file = openings_file(os.environ)
    if sys.stderr.isatty():
        click.echo("Loading torch and Lightning …", err=True)
    from assay.opening import open_test

    with ladder_display(sys.stderr if to_stderr else sys.stdout) as display:
        return open_test(run, user_file=user_file, again=why, display=display)


def _write(opened: Opened, target: str, *, seconds: float) -> None:
    from assay.reporting import document

    outcome = opened.outcome
    made = document.document(
        verb="test", judgement=opened.judgement, verdict="fail" if outcome.verdict == "failed" else "pass",
        result={
            "folder": str(opened.folder), "gate": outcome.verdict, "why": outcome.why, "evidence": outcome.evidence,
            **outcome.result,
        },
        seconds={"total": seconds},
    )
    document.write(made, target)


def _closing(opened: Opened) -> Iterator[str]:
    """Every seed and baseline by every metric, the confusion of classes, and what the opening means."""
    result = opened.outcome.result
    if opened.outcome.verdict == "failed":
        yield f"\nThe test set of {opened.folder} stays closed; `--again --why TEXT` opens it once more."
        return
    yield ""
    yield from _table(result)
    yield from _confusion(result)
    yield "\nThese rows have been opened: what is chosen from here on is chosen by them."


def _table(result: Mapping[str, Any]) -> Iterator[str]:
    scored = {f"seed {each['seed']}": each["scores"] for each in result["seeds"]}
    together = {"together": result["together"]}
    rows = {name: scores for name, scores in {**scored, **together, **result["baselines"]}.items() if scores}
    metrics = list(next(iter(rows.values()), {}))
    wide = max([14, *(len(metric) + 2 for metric in metrics)])
    yield f"{'':<15}" + "".join(f"{metric:>{wide}}" for metric in metrics)
    for name, scores in rows.items():
        yield f"{name:<15}" + "".join(f"{scores.get(metric, float('nan')):>{wide}.4f}" for metric in metrics)
    for each in result["seeds"]:
        if each["failure"]:
            yield f"seed {each['seed']}: {each['failure']}"


def _confusion(result: Mapping[str, Any]) -> Iterator[str]:
    """Of the first seed that has scores: its matrix if it isn't too wide, and the recall of each class."""
    from assay.reporting.words import clean

    first = next((each for each in result["seeds"] if each["per_class_recall"]), None)
    if first is None:
        return
    names = [clean(name)[:16] for name in result["classes"]]
    recalls = first["per_class_recall"]
    matrix = first["confusion_matrix"] or [()] * len(recalls)
    shown = bool(first["confusion_matrix"]) and len(matrix) <= WIDEST_MATRIX
    yield f"\nSeed {first['seed']}: recall of each class" + (", and what it was taken for" if shown else "")
    if shown:
        yield f"{'true class':<18}{'recall':>8}  " + "".join(f"{name[:7]:>8}" for name in names)
    for name, recall, row in zip(names, recalls, matrix, strict=True):
        counts = "".join(f"{count:>8}" for count in row) if shown else ""
        yield f"{name:<18}{recall:>8.3f}  {counts}"
