"""`assay watch train.py ARGS`: run anybody's script unmodified, and say what is wrong with it, with file and line.

The script's output is its own; findings go to standard error. A script that fails or is signalled passes on its own
code; one that ends with 0 gives 1 on a finding at error.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from assay.reporting.document import Outcome, document, refuse_unwritable, write
from assay.reporting.findings import print_findings, unchecked_lines
from assay.rule import Judgement
from assay.rules import known
from assay.watching.allowances import of_project
from assay.watching.judging import judged
from assay.watching.program import Ended, Program, run

FAILED = 1
TAKE_A_VALUE = ("--json", "--allow", "-m")
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
@click.option("--json", "target", metavar="FILE", help="Write the findings as JSON; - is standard output.")
@click.option("--allow", "allow", multiple=True, metavar="RULE", help="Set this rule's findings aside (repeatable).")
@click.option("--exit-zero", is_flag=True, help="End with 0 whatever is found in a script that ends with 0.")
@click.option("--quiet", is_flag=True, help="Print errors and warnings alone, and nothing where there are none.")
@click.option("-m", "module", metavar="MODULE", help="Run a module, as python -m does.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
def command(
    *, target: str | None, allow: tuple[str, ...], exit_zero: bool, quiet: bool,
    module: str | None, program: tuple[str, ...],
) -> int:
    """Run a training script under probes and report what is wrong.

    Give the script and its own arguments last: assay watch train.py --epochs 3
    """
    if module is None and not program:
        raise click.UsageError("Give the script to run: assay watch train.py")
    refuse_unwritable(target)
    began = time.perf_counter()
    allowed = known((*allow, *of_project(Path.cwd())))
    chosen = Program(module, program, module=True) if module else Program(program[0], program[1:])
    ended = run(chosen)
    ran = time.perf_counter()
    judgement = judged(ended.facts, broken=ended.broken, allow=allowed, files=ended.files)
    report(judgement, ended, quiet=quiet)
    if target is not None:
        verdict: Outcome | None = None if ended.saw_torch else "unchecked"
        write(document(
            verb="watch", judgement=judgement, result={}, program={"exit": ended.exit}, verdict=verdict,
            seconds={"program": ran - began, "judging": time.perf_counter() - ran},
        ), target)
    if ended.exit:
        return ended.exit
    return FAILED if judgement.errors and not exit_zero else 0


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
    if not ended.saw_torch:
        return [f"assay: not checked: {NO_TORCH}."]
    lines = [
        f"assay: {_counted(shown, 'finding')}; {_counted(len(judgement.passed), 'rule')} passed, "
        f"{len(judgement.not_checked)} not checked, {len(judgement.not_applicable)} not applicable."
    ]
    lines += unchecked_lines(judgement)
    lines += [f"  broken, {name}: {why}" for name, why in judgement.broken.items()]
    lines += [f"  allowed: {finding.rule}: {finding.summary}" for finding in judgement.allowed]
    lines += [f"  allowed, but nothing is found: {name}" for name in judgement.allowed_unused]
    return lines


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
