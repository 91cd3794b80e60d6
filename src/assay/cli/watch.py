"""`assay watch train.py ARGS`: run anybody's script unmodified, and say what is wrong with it, with file and line.

The script's output is its own; findings go to standard error. A script that fails or is signalled passes on its own
code; one that ends with 0 gives 1 on a finding at error.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from assay.errors import UnusableInput
from assay.facts.overfit import verdict_words
from assay.reporting.document import Outcome, document, refuse_unwritable, write
from assay.reporting.findings import place_words, print_findings, unchecked_lines
from assay.rule import Finding, Judgement
from assay.rules import catalogue, known
from assay.watching.allowances import of_project
from assay.watching.judging import UNSEEN, judged
from assay.watching.program import Ended, Manner, Program, run

FAILED = 1
TAKE_A_VALUE = ("--json", "--sarif", "--allow", "--steps", "-m")
NO_TORCH = "the program never imported PyTorch, so there was nothing to look at"


class LikePython(click.Command):
    """A command whose `-m MODULE` ends its own options, as python's does: what follows is the module's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the mark that ends options behind `-m MODULE`, unless a script's name has ended them before."""
        at = 0
        while at < len(args) and args[at].startswith("-") and args[at] != "--":
            option = args[at]
            at += 2 if option in TAKE_A_VALUE else 1
            if option.startswith("-m") and at <= len(args):
                return super().parse_args(ctx, [*args[:at], "--", *args[at:]])
        return super().parse_args(ctx, args)


@click.command(cls=LikePython, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--json", "json_target", metavar="FILE", help="Write the findings as JSON; - is standard output.")
@click.option("--sarif", "sarif_target", metavar="FILE", help="The same as SARIF 2.1.0, for code hosts and editors.")
@click.option("--allow", "allow", multiple=True, metavar="RULE", help="Set this rule's findings aside (repeatable).")
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="End the script after N optimizer steps.")
@click.option("--overfit", is_flag=True, help="Hold the script's loop on its first batch: can it memorise that?")
@click.option("--exit-zero", is_flag=True, help="End with 0 whatever is found in a script that ends with 0.")
@click.option("--quiet", is_flag=True, help="Print errors and warnings alone, and nothing where there are none.")
@click.option("-m", "module", metavar="MODULE", help="Run a module, as python -m does.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(module: str | None, program: tuple[str, ...], **options: Any) -> int:
    """Run a training script under probes and report what is wrong.

    Give the script and its own arguments last: assay watch train.py --epochs 3
    """
    if module is None and not program:
        raise click.UsageError("Give the script to run: assay watch train.py")
    refuse_unwritable(options["json_target"])
    refuse_unwritable(options["sarif_target"], option="--sarif")
    began = time.perf_counter()
    allowed = known((*options["allow"], *of_project(Path.cwd())))
    chosen = Program(module, program, module=True) if module else Program(program[0], program[1:])
    ended = run(chosen, Manner(steps=options["steps"], overfit=options["overfit"], tell=_tell))
    ran = time.perf_counter()
    if options["overfit"] and not ended.held and not ended.exit:
        raise UnusableInput(
            "--overfit holds the batches of a DataLoader, and this script uses none: take the flag away, or cut the "
            "data to a few examples and see whether its loss reaches 0.",
        )
    judgement = judged(
        ended.facts, broken=ended.broken, allow=allowed, files=ended.files, held=options["overfit"],
    )
    report(judgement, ended, quiet=options["quiet"])
    _write(judgement, ended, options, {"program": ran - began, "judging": time.perf_counter() - ran})
    if ended.exit:
        return ended.exit
    return FAILED if judgement.errors and not options["exit_zero"] else 0


def _tell(finding: Finding) -> None:
    """An error, in one line, while the program still runs."""
    place = place_words(finding.where)
    click.echo(f"assay: {finding.severity}: {finding.summary}" + (f" ({place})" if place else ""), err=True)


def _write(judgement: Judgement, ended: Ended, options: dict[str, Any], seconds: dict[str, float]) -> None:
    """The documents that were asked for."""
    if options["json_target"] is not None:
        verdict: Outcome | None = None if ended.saw_torch else "unchecked"
        result: dict[str, Any] = {"stopped": ended.stopped}
        if options["overfit"]:
            result["overfit"] = verdict_words(ended.facts)
        write(document(
            verb="watch", judgement=judgement, result=result, program={"exit": ended.exit}, verdict=verdict,
            seconds=seconds,
        ), options["json_target"])
    if options["sarif_target"] is not None:
        from assay.reporting.sarif import sarif, write_sarif

        write_sarif(sarif(judgement, finished=ended.exit == 0), options["sarif_target"])


def report(judgement: Judgement, ended: Ended, *, quiet: bool) -> None:
    """Findings, and what was looked at and what wasn't, on standard error."""
    loud = [finding for finding in judgement.findings if not quiet or finding.severity != "note"]
    lines = _summary(judgement, ended, len(loud))
    if loud or not quiet:
        click.echo("", err=True)
    print_findings(loud, sys.stderr)
    if not quiet:
        for line in lines:
            click.echo(line, err=True)


def _summary(judgement: Judgement, ended: Ended, shown: int) -> list[str]:
    """What was found and checked; what could have been and wasn't; what a watch never shows; what was set aside."""
    if not ended.saw_torch:
        return [f"assay: not checked: {NO_TORCH}."]
    lines = [
        f"assay: {_counted(shown, 'finding')}; {_counted(len(judgement.passed), 'rule')} passed, "
        f"{len(judgement.not_checked)} not checked, {len(judgement.not_applicable)} not applicable."
    ]
    if ended.stopped:
        lines.append("  the script was ended after the steps that were asked for.")
    if ended.held:
        lines.append(f"  {verdict_words(ended.facts)}")
    families = Counter(each.family for each in catalogue() if each.name in judgement.passed)
    if families:
        lines.append("  passed: " + ", ".join(f"{family} {count}" for family, count in families.most_common()))
    here = {name: why for name, why in judgement.not_checked.items() if why != UNSEEN}
    elsewhere = {name: why for name, why in judgement.not_checked.items() if why == UNSEEN}
    lines += unchecked_lines(replace(judgement, not_checked={**here, **elsewhere}))
    lines += [f"  broken, {name}: {why}" for name, why in judgement.broken.items()]
    lines += [f"  allowed: {finding.rule}: {finding.summary}" for finding in judgement.allowed]
    lines += [f"  allowed, but nothing is found: {name}" for name in judgement.allowed_unused]
    return lines


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
