"""`assay init`: look at data and write a recipe for it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from assay.errors import UnusableInput
from assay.facts.task import TaskKind

if TYPE_CHECKING:
    from assay.drafting import Draft
    from assay.recipe.schema import TableData

ENDINGS = (".csv", ".tsv", ".txt", ".tab", ".data", ".parquet", ".pq", ".xlsx", ".xls", ".json")
"""Of names that are meant as files, whether or not they exist."""


@click.command()
@click.argument("data", metavar="[NAME | FILE...]", nargs=-1)
@click.option("--target", "targets", metavar="COLUMN[,COLUMN]", help="What is to be predicted.")
@click.option("--group", metavar="COLUMN", help="Rows with the same value stay in one split.")
@click.option("--time", "when", metavar="COLUMN", help="Later rows are predicted from earlier ones.")
@click.option("--split", "split_column", metavar="COLUMN", help="The column that says train, validation or test.")
@click.option("--test", "test_file", metavar="FILE", help="The given test part, in a file of its own.")
@click.option("--task", type=click.Choice(get_args(TaskKind)), help="Where the target can be read in two ways.")
@click.option("--no-header", is_flag=True, help="The first line is data; columns are named c1, c2 and so on.")
@click.option("--output", "-o", type=click.Path(path_type=Path), default=Path("recipe.yaml"), show_default=True,
              help="Where to write the recipe.")
@click.option("--force", is_flag=True, help="Write over an existing recipe.")
@click.option("--json", "json_file", metavar="FILE", help="Write what was chosen as JSON; - is standard output.")
def command(data: tuple[str, ...], output: Path, force: bool, json_file: str | None, **said: Any) -> None:
    """Look at data and write a recipe for it, each choice with its status and reason.

    NAME is a data set of scikit-learn: digits, wine, breast_cancer, diabetes or iris. FILE is a table: CSV, TSV or
    Parquet; several files are read one below the other.
    """
    if not data:
        raise click.UsageError("Give the data to look at: assay init digits, or assay init data.csv --target COLUMN")
    if output.is_dir():
        raise UnusableInput(f"{output} is a folder; name a file, such as {output / 'recipe.yaml'}.")
    if output.exists() and not force:
        raise UnusableInput(f"{output} exists already and is kept; use --force to write over it, or --output FILE.")
    from assay.ledger import write_document

    began = time.perf_counter()
    drafted = _table(data, output, said) if _are_files(data) else _named(data[0], said)
    write_document(output, drafted.text())
    if json_file is not None:
        _write_json(drafted, output, json_file, seconds=time.perf_counter() - began)
    if json_file != "-":
        _report(drafted, output)


def _are_files(data: tuple[str, ...]) -> bool:
    return len(data) > 1 or Path(data[0]).exists() or "/" in data[0] or data[0].lower().endswith(ENDINGS)


def _named(name: str, said: dict[str, Any]) -> Draft:
    from assay import sources
    from assay.drafting import draft

    source, dataset = sources.find(name)
    given = [key for key, value in said.items() if value]
    if given:
        option = {"targets": "target", "when": "time", "split_column": "split", "test_file": "test"}
        raise UnusableInput(f"{name} has its target and its columns already; --"
                            f"{option.get(given[0], given[0]).replace('_', '-')} is for tables in files.")
    return draft(dataset, source=source)


def _table(files: tuple[str, ...], output: Path, said: dict[str, Any]) -> Draft:
    from assay.drafting import draft_table
    from assay.tables.survey import likely_targets, survey

    targets = tuple(each.strip() for each in (said["targets"] or "").split(",") if each.strip())
    asked = _asked(files, output, {**said, "targets": targets or ("",)})
    if not targets:
        raise UnusableInput(likely_targets(asked, folder=output.parent))
    return draft_table(survey(asked, folder=output.parent, task=said["task"]))


def _asked(files: tuple[str, ...], output: Path, said: dict[str, Any]) -> TableData:
    """What the person said, as a recipe in the output's folder says it."""
    from assay.recipe.schema import TableData
    from assay.recipe.table_files import seen_from

    def moved(name: str) -> str:
        return name if Path(name).is_absolute() else seen_from(output.parent, Path(name))

    targets = said["targets"]
    values: dict[str, Any] = {
        "source": "table", "name": Path(files[0]).stem or "table", "files": tuple(moved(name) for name in files),
        "target": targets[0] if len(targets) == 1 else targets,
    }
    if said["no_header"]:
        values["header"] = False
    for field, key in (("group", "group"), ("time", "when"), ("split_column", "split_column")):
        if said[key]:
            values[field] = said[key]
    if said["test_file"]:
        values["test_file"] = moved(said["test_file"])
    return TableData.model_validate(values)


def _write_json(drafted: Draft, output: Path, target: str, *, seconds: float) -> None:
    """The common document; nothing is judged yet, so its verdict is `unchecked`."""
    from assay.recipe.leaves import leaves
    from assay.reporting import document
    from assay.rule import Judgement

    values = dict(leaves(drafted.recipe))
    choices = [{"path": path, "value": values[path], **vars(choice)} for path, choice in drafted.choices.items()]
    result = {"recipe": str(output), "choices": choices}
    made = document.document(verb="init", judgement=Judgement(), result=result, seconds={"total": seconds})
    document.write(made, target)


def _report(drafted: Draft, output: Path) -> None:
    from assay.recipe.leaves import leaves, plain_text

    values = dict(leaves(drafted.recipe))
    click.echo(f"{output} holds a first recipe. What was chosen, and why:\n")
    for path, choice in drafted.choices.items():
        said = choice.why or f"from {choice.source}"
        click.echo(f"  {_shown(path)} = {_shown(plain_text(values[path]))}  ({choice.status}) {_shown(said)}")
    click.echo(f"\nNext: assay plan {output}")


def _shown(text: str) -> str:
    """On one line, whatever a file's names and values hold."""
    return text if text.isprintable() else "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
