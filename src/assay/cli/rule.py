"""`assay rule`: the catalogue of rules by family, the rules of one family, or one rule's page."""

from __future__ import annotations

import difflib
import inspect
import sys
from itertools import groupby

import click

from assay.errors import UnusableInput
from assay.rule import Judgement, Rule
from assay.rules import catalogue


@click.command()
@click.argument("name", metavar="[NAME|FAMILY]", required=False)
@click.option("--json", "target", metavar="FILE", help="Write the rules as JSON; - is standard output.")
def command(name: str | None, target: str | None) -> None:
    """Show the catalogue of rules, those of one family, or one rule's page."""
    rules = tuple(each for each in catalogue() if name in (None, each.family)) or (find(str(name)),)
    if target is not None:
        _write(rules, target)
    if target != "-":
        click.echo(page(rules[0]) if rules[0].name == name else listing(rules), nl=False)


def _write(rules: tuple[Rule, ...], target: str) -> None:
    from assay.reporting import document

    listed = [{"rule": each.name, "family": each.family, "severity": each.severity, "title": each.title,
               "page": each.page, "implied_by": list(each.implied_by)} for each in rules]
    document.write(
        document.document(verb="rule", judgement=Judgement(), result={"rules": listed}, seconds={}), target,
    )


def find(name: str) -> Rule:
    """The rule of that name; raises UnusableInput with the nearest name where there is none."""
    rules = {each.name: each for each in catalogue()}
    if name not in rules:
        near = difflib.get_close_matches(name.replace("_", "-"), rules, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`assay rule` lists them all."
        raise UnusableInput(f"There is no rule {name!r}: {hint}")
    return rules[name]


def listing(rules: tuple[Rule, ...]) -> str:
    """One line a rule, with its highest severity and its title, under its family."""
    width = max(len(each.name) for each in rules)
    lines: list[str] = []
    for family, members in groupby(sorted(rules, key=lambda each: (each.family, each.name)), lambda each: each.family):
        lines.append(_bold(family))
        lines += [f"  {each.name:<{width}}  {each.severity:<7}  {each.title}" for each in members]
        lines.append("")
    lines.append("`assay rule NAME` shows a rule's page.")
    return "\n".join(lines) + "\n"


def page(rule: Rule) -> str:
    """A rule's docstring under its name, family and severity, its headings plain."""
    lines = [_bold(rule.name), f"{rule.family} · {rule.severity}", ""]
    lines += [
        _bold(line.removeprefix("## ")) if line.startswith("## ") else line
        for line in inspect.cleandoc(rule.page).splitlines()
    ]
    return "\n".join(lines) + "\n"


def _bold(text: str) -> str:
    return click.style(text, bold=True) if sys.stdout.isatty() else text
