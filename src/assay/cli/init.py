"""`assay init`: look at data and write a recipe for it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.errors import UnusableInput

if TYPE_CHECKING:
    from assay.drafting import Draft


@click.command()
@click.argument("data", metavar="NAME")
@click.option("--output", "-o", type=click.Path(path_type=Path), default=Path("recipe.yaml"), show_default=True,
              help="Where to write the recipe.")
@click.option("--force", is_flag=True, help="Write over an existing recipe.")
@click.option("--json", "target", metavar="FILE", help="Write what was chosen as JSON; - is standard output.")
def command(data: str, output: Path, force: bool, target: str | None) -> None:
    """Look at data and write a recipe for it, each choice with its status and reason.

    NAME is a data set of scikit-learn: digits, wine, breast_cancer, diabetes or iris.
    """
    if output.is_dir():
        raise UnusableInput(f"{output} is a folder; name a file, such as {output / 'recipe.yaml'}.")
    if output.exists() and not force:
        raise UnusableInput(f"{output} exists already and is kept; use --force to write over it, or --output FILE.")
    from assay import sources
    from assay.drafting import draft
    from assay.ledger import write_document

    began = time.perf_counter()
    source, dataset = sources.find(data)
    drafted = draft(dataset, source=source)
    write_document(output, drafted.text())
    if target is not None:
        _write_json(drafted, output, target, seconds=time.perf_counter() - began)
    if target != "-":
        _report(drafted, output)


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
        click.echo(f"  {path} = {plain_text(values[path])}  ({choice.status}) {said}")
    click.echo(f"\nNext: assay plan {output}")
