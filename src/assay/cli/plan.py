"""`assay plan`: what a recipe will do, what it costs, and what is missing; it needs the recipe alone."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from assay.facts.splits import SplitFacts
    from assay.recipe.plan import Plan
    from assay.recipe.resolving import Resolved
    from assay.recipe.schema import DataBlock
    from assay.rule import Finding, Judgement, Rule

JUDGED = ("class_imbalance", "label_missing_class", "split_empty")
"""The data rules that need nothing but what a data block tells."""


@click.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--set", "settings", multiple=True, metavar="PATH=VALUE",
              help="A value in place of the recipe's, such as training.learning_rate=3e-3.")
@click.option("--json", "target", metavar="FILE", help="Write the plan as JSON; - is standard output.")
def command(recipe: Path, settings: tuple[str, ...], target: str | None) -> int:
    """Show what a recipe will do, what it costs, and what is missing."""
    from assay.recipe.plan import plan
    from assay.recipe.reading import read_recipe
    from assay.recipe.resolving import resolve

    began = time.perf_counter()
    resolved = resolve(read_recipe(recipe), overrides=settings)
    made = plan(resolved)
    judgement = _judged(resolved)
    if target is not None:
        from assay.reporting import document

        seconds = {"total": time.perf_counter() - began}
        document.write(
            document.document(verb="plan", judgement=judgement, result=_result(made), seconds=seconds), target
        )
    if target != "-":
        _show(made, judgement)
    return 1 if judgement.errors else 0


def _judged(resolved: Resolved) -> Judgement:
    """Judge what the data block tells, by the few rules that need no more."""
    from assay.facts.fact import Absent, Fact
    from assay.facts.fact_set import FactSet
    from assay.facts.splits import SplitFacts
    from assay.facts.task import TaskFacts
    from assay.recipe.schema import DataBlock
    from assay.recipe.task import task_facts
    from assay.rule import judge

    data = resolved.recipe.data
    known = [fact for fact in (_split_facts(data), task_facts(resolved.recipe)) if fact is not None]
    why = Absent("the recipe's data block doesn't say enough")
    kinds: tuple[type[Fact], ...] = (SplitFacts, TaskFacts)
    absent = {kind: why for kind in kinds if kind not in {type(fact) for fact in known}}
    random = isinstance(data, DataBlock) and bool(data.class_counts) and not _classes_are_even(data)
    judged = [name for name in JUDGED if not (random and name == "label_missing_class")]
    allowed = {name for name in resolved.recipe.allow if name.replace("-", "_") in judged}  # others aren't unused
    judgement = judge([_rule(name) for name in judged], FactSet.of(*known, absent=absent), allow=allowed)
    unknown = {"label-missing-class": "which classes such a split holds is known after it was drawn"}
    return replace(judgement, not_checked={**judgement.not_checked, **unknown}) if random else judgement


def _classes_are_even(data: DataBlock) -> bool:
    """Whether every split gets its share of every class for certain."""
    from assay.recipe.split_sizes import is_exact, is_stratified

    return is_stratified(data) and is_exact(data) and data.given_rows is None


def _rule(name: str) -> Rule:
    """One rule alone: the whole catalogue would take longer to import than the plan to make."""
    found: Rule = getattr(importlib.import_module(f"assay.rules.data.{name}"), name)
    return found


def _split_facts(data: object) -> SplitFacts | None:
    """The splits by arithmetic. Overlaps can't be known before the rows are read, and no rule here asks for them."""
    from assay.facts.splits import SplitFacts, SplitRecord
    from assay.recipe.schema import DataBlock
    from assay.recipe.split_sizes import planned_sizes, stratified_sizes
    from assay.recipe.task import training_class_counts

    if not isinstance(data, DataBlock) or data.rows is None or (data.classes and data.class_counts is None):
        return None
    names = ("train", "validation", "test")
    sizes = planned_sizes(data)
    if sizes is None:
        return None
    if not _classes_are_even(data):
        counts = {"train": training_class_counts(data) or ()}
    else:
        parts = stratified_sizes(data.split, data.class_counts or ())
        counts = {name: tuple(getattr(part, name) for part in parts) for name in names}
    return SplitFacts(
        splits=tuple(
            SplitRecord(name=name, rows=getattr(sizes, name), class_counts=counts.get(name, ())) for name in names
        ),
        classes=data.classes or tuple(str(label) for label in range(len(data.class_counts or ()))),
        overlaps=(), repeated_share=0.0,
    )


def _result(made: Plan) -> dict[str, Any]:
    return {
        "name": made.name,
        "sections": {section.title: [_line(line.name, line.value, line.note) for line in section.lines]
                     for section in made.sections},
        "choices": [vars(choice) for choice in made.choices],
        "derived": {name: {"value": quantity.value, "how": quantity.how}
                    for name, quantity in made.derived.quantities().items()},
        "cost": None if made.derived.cost is None else vars(made.derived.cost),
        "missing": list(made.missing),
        "warnings": list(made.warnings),
    }


def _line(name: str, value: str, note: str) -> dict[str, str]:
    return {"name": name, "value": value, "note": note}


def _show(made: Plan, judgement: Judgement) -> None:
    """In columns on a terminal, one line a fact in a pipe."""
    if sys.stdout.isatty():
        _show_columns(made, judgement)
        return
    click.echo(f"Training Recipe: {made.name}")
    for title, rows in _tables(made):
        click.echo(f"\n{title}")
        for name, value, note in rows:
            click.echo(f"  {name}: {value}" + (f"  ({note})" if note else ""))
    for title, sentences in _lists(made, judgement):
        click.echo(f"\n{title}")
        for sentence in sentences:
            click.echo(f"  - {sentence}")


def _show_columns(made: Plan, judgement: Judgement) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(f"Training Recipe: {made.name}", style="bold"))
    for title, rows in _tables(made):
        console.print(Text(f"\n{title}", style="bold cyan"))
        table = Table.grid(padding=(0, 2))
        for row in rows:
            table.add_row(*(Text(cell, style=style) for cell, style in zip(row, ("", "bold", "dim"), strict=True)))
        console.print(Padding(table, (0, 0, 0, 2)))
    for title, sentences in _lists(made, judgement):
        console.print(Text(f"\n{title}", style="bold yellow"))
        for sentence in sentences:
            console.print(Padding(Text(f"– {sentence}"), (0, 0, 0, 2)))


def _tables(made: Plan) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    from assay.recipe.origin import Origin

    for section in made.sections:
        yield section.title, [(line.name, line.value, line.note) for line in section.lines]
    for status in dict.fromkeys(choice.status for choice in made.choices):
        listed = [choice for choice in made.choices if choice.status is status]
        unsaid = {Origin.DEFAULT: "default"}
        reasons = [
            choice.why or choice.source or unsaid.get(choice.origin, f"no reason given; {choice.origin}")
            for choice in listed
        ]
        yield f"Choices: {status}", [
            (choice.path, choice.value, reason) for choice, reason in zip(listed, reasons, strict=True)
        ]


def _lists(made: Plan, judgement: Judgement) -> Iterator[tuple[str, list[str]]]:
    if made.missing:
        yield "Missing", list(made.missing)
    warnings = [*made.warnings, *(_said(finding) for finding in judgement.findings)]
    if warnings:
        yield "Warnings", warnings
    if judgement.allowed:
        yield "Allowed", [_said(finding) for finding in judgement.allowed]


def _said(finding: Finding) -> str:
    impact = f" ({finding.impact})" if finding.impact else ""
    return f"{finding.severity} {finding.rule}: {finding.summary}{impact}; {finding.fix}"
