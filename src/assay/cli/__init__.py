"""The command line: one file a verb, imported only when that verb is used.

Exit codes, for every verb: 0 nothing at error; 1 a finding at error, or a gate that failed; 2 unusable input, told in
one plain sentence; 130 stopped by Ctrl-C; 141 the reader of its output went away. A verb's module holds one click
command named `command`; what that command returns is the exit code (None is 0).
"""

from __future__ import annotations

import difflib
import errno
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import click

from assay.errors import UnusableInput

VERBS = {
    "init": "Look at data and write a recipe for it.",
    "plan": "Show what a recipe will do, what it costs, and what is missing.",
    "run": "Climb the ladder of stages, or go on with a run.",
    "test": "Open the sealed test set of a run, once.",
    "predict": "Use a run's model on a new table.",
    "runs": "List every run, its outcome, and what differs from the one before.",
    "report": "Write a run as one self-contained HTML file.",
    "watch": "Run any training script under probes, unmodified.",
    "rule": "Show the catalogue of rules, or one rule's page.",
}
"""The verbs in the order of their use, each with its line of help: `--help` shows it without importing any verb."""

UNUSABLE, STOPPED, READER_GONE = 2, 130, 141

OF_THE_PLACE = frozenset({
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENAMETOOLONG,
    errno.ELOOP, errno.ENOTDIR, errno.ESTALE,
})
"""What a file system refuses for a reason that lies with it; every other OSError that gets this far is our defect."""


class Verbs(click.Group):
    """A group that knows its verbs by name alone, and turns every way of ending into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The verbs in the order of their use."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's
        """The verb's command, imported now."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str],
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb and its arguments. Raises UsageError with the nearest verb where there is no such verb."""
        if args[0] not in VERBS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], VERBS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the verbs are {', '.join(VERBS)}."
            ctx.fail(f"There is no verb {args[0]!r}: {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's
        """List the verbs for `--help`, importing none."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]  # never returns
        """Run a verb and exit with its code; whatever the user did, there is a sentence and no traceback."""
        extra["standalone_mode"] = False
        _open_closed_streams()
        try:
            code = super().main(args, prog_name or "assay", **extra)
        except click.ClickException as fault:
            _say(_usage(fault))
            code = UNUSABLE
        except UnusableInput as fault:
            _say(str(fault))
            code = UNUSABLE
        except OSError as fault:
            if fault.errno not in OF_THE_PLACE:
                raise
            _say(_refused(fault))
            code = UNUSABLE
        except click.Abort as stop:
            if isinstance(stop.__cause__, EOFError):  # click takes it for Ctrl-D at a prompt; we have no prompts
                raise stop.__cause__ from None
            _say("Stopped: everything that was finished is kept.")
            code = STOPPED
        sys.exit(code or 0)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments, which already prints for `--help` and `--version`."""
        with _reader_may_leave():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        with _reader_may_leave():
            code = super().invoke(ctx)
            sys.stdout.flush()
            return code


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """End quietly where the reader of our output goes away (`| head`), as other programs do."""
    try:
        yield
    except BrokenPipeError:
        # what is still buffered would raise once more when the interpreter flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(READER_GONE) from None


def _open_closed_streams() -> None:
    """Give the null device to a standard stream that was closed (`>&-`), lest the next file opened takes its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.fstat(number)
                continue
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8"))


def _usage(fault: click.ClickException) -> str:
    """One sentence, and where to read more."""
    ctx = fault.ctx if isinstance(fault, click.UsageError) else None
    said = fault.format_message()
    if not said.endswith((".", "?")):
        said += "."
    return said if ctx is None else f"{said} See `{ctx.command_path} --help`."


def _refused(fault: OSError) -> str:
    """One sentence on what the file system refused."""
    which = "A file" if fault.filename is None else os.fsdecode(fault.filename)
    return f"{which} can't be used ({fault.strerror}): give the rights, make room, or choose another place."


def _say(text: str) -> None:
    click.echo(text, err=True)


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from importlib import metadata

        click.echo(f"assay {metadata.version('assay')}")
        ctx.exit()


@click.group("assay", cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
              help="Show the version and exit.")
@click.pass_context
def main(ctx: click.Context) -> None:
    """assay turns an experiment into a training recipe that fails loudly."""  # noqa: D403  # a command's name
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
