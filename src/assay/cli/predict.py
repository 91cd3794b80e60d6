"""`assay predict`: use a run's model on a new table."""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.errors import UnusableInput

if TYPE_CHECKING:
    from assay.trained_model import Answers, Model


@click.command()
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@click.option("--output", "-o", metavar="FILE", default="predictions.csv", show_default=True,
              help="Where to write the predictions; - is standard output.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@click.option("--seed", type=int, metavar="N", help="Use this seed's weights alone, not the mean over all seeds.")
@click.option("--keep", "kept", multiple=True, metavar="COLUMN", help="Copy this column of the table, such as an id.")
@click.option("--json", "target", metavar="FILE", help="Write what was predicted as JSON; - is standard output.")
def command(run: Path, table: Path, **options: Any) -> None:
    """Predict for every row of TABLE with the model of RUN and its own preprocessing.

    TABLE is a file with the columns that the model was trained on, in any order. All seeds answer together, by the
    mean of their probabilities, unless --seed names one.
    """
    from assay.reporting.document import refuse_unwritable

    output, target = str(options["output"]), options["target"]
    if output == "-" and target == "-":
        raise UnusableInput("--output and --json can't both be standard output: name a file for one of them.")
    if target is not None and Path(target).resolve() == Path(output).resolve():
        raise UnusableInput(f"--output and --json can't both be {output}: name another file for one of them.")
    refuse_unwritable(target)
    if not run.is_dir():
        raise UnusableInput(f"There is no run at {run}: `assay run RECIPE` makes one, and `assay runs` lists them.")
    if output != "-":
        _refuse_existing(Path(output), table, force=options["force"])
    from assay.trained_model import load

    began = time.perf_counter()
    model = load(run, seed=options["seed"])
    answers = model.answer(table)
    text = _csv(model, answers, options["kept"])
    _write(text, output)
    if target is not None:
        _write_json(model, answers, output, target=target, seconds=time.perf_counter() - began)
    _report(model, answers, output, quiet="-" in (output, target))


def _refuse_existing(output: Path, table: Path, *, force: bool) -> None:
    if output.is_dir():
        raise UnusableInput(f"{output} is a folder; name a file, such as {output / 'predictions.csv'}.")
    if output.exists() and not force:
        raise UnusableInput(f"{output} exists already and is kept; use --force to write over it, or --output FILE.")
    if output.exists() and table.exists() and output.samefile(table):
        raise UnusableInput(f"{output} is the table itself; name another file with --output.")


def _csv(model: Model, answers: Answers, kept: tuple[str, ...]) -> str:
    cells = answers.rows.cells
    unknown = [name for name in kept if name not in cells.columns]
    if unknown:
        raise UnusableInput(f"The table has no column {unknown[0]!r} to keep; its columns are "
                            f"{', '.join(cells.columns[:12])}.")
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    named = list(_columns(model, answers))
    writer.writerow(["row", *kept, *(name for name, _ in named)])
    copied = [cells[name].to_list() for name in kept]
    for row in range(len(answers.predicted)):
        writer.writerow([row + 1, *(values[row] for values in copied), *(values[row] for _, values in named)])
    return text.getvalue()


def _columns(model: Model, answers: Answers) -> Iterator[tuple[str, Any]]:
    """The columns of the answer, each with its name: a value's shortest text reads back to the same value."""
    if answers.predicted.ndim == 2:
        yield from ((name, answers.predicted[:, at].tolist()) for at, name in enumerate(model.classes))
    else:
        yield "prediction", answers.predicted.tolist()
    if answers.probabilities is not None:
        for at, name in enumerate(model.classes):
            yield f"probability of {name}", answers.probabilities[:, at].tolist()


def _write(text: str, output: str) -> None:
    from assay.ledger import write_document

    if output == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_document(Path(output), text)


def _write_json(model: Model, answers: Answers, output: str, *, target: str, seconds: float) -> None:
    from assay.reporting import document
    from assay.rule import Judgement

    result = {
        "folder": str(model.run), "output": output, "rows": len(answers.predicted), "seeds": model.seeds,
        "task": model.task, "classes": model.classes, "notices": answers.notices, "predicted": answers.predicted,
        "probabilities": answers.probabilities,
    }
    made = document.document(verb="predict", judgement=Judgement(), result=result, seconds={"total": seconds})
    document.write(made, target)


def _report(model: Model, answers: Answers, output: str, *, quiet: bool) -> None:
    from assay.reporting.words import clean

    for notice in answers.notices:
        click.echo(f"Notice: {clean(notice)}", err=True)
    if not quiet:
        seeds = f"seed {model.seeds[0]}" if len(model.seeds) == 1 else f"{len(model.seeds)} seeds together"
        count = len(answers.predicted)
        click.echo(f"{count:,} row{'s' if count != 1 else ''} predicted by {seeds} of {model.run}: {output}")
