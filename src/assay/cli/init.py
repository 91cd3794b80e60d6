"""`assay init`: look at data and write a recipe for it."""

from __future__ import annotations

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
def command(data: str, output: Path, force: bool) -> None:
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

    source, dataset = sources.find(data)
    drafted = draft(dataset, source=source)
    write_document(output, drafted.text())
    _report(drafted, output)


def _report(drafted: Draft, output: Path) -> None:
    from assay.recipe.leaves import leaves, plain_text

    values = dict(leaves(drafted.recipe))
    click.echo(f"{output} holds a first recipe. What was chosen, and why:\n")
    for path, choice in drafted.choices.items():
        said = choice.why or f"from {choice.source}"
        click.echo(f"  {path} = {plain_text(values[path])}  ({choice.status}) {said}")
    click.echo(f"\nNext: assay plan {output}")
