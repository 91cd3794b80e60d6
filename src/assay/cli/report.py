"""`assay report`: a run as one self-contained HTML file, from what its folder holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--output", "-o", metavar="FILE", type=click.Path(path_type=Path),
              help="Where to write it; RUN/report.html if not given.")
@click.option("--json", "target", metavar="FILE", help="Write verdict and findings as JSON; - is standard output.")
def command(run: Path, output: Path | None, target: str | None) -> int:
    """Write RUN/report.html: ladder, findings, scores, curves, data, choices and record in one offline file.

    Nothing is trained or measured again. The exit code is that of the run: 1 where a gate failed.
    """
    from assay.reporting.html.page import render, report_path, write_page
    from assay.reporting.html.story import read_story

    began = time.perf_counter()
    story = read_story(run)
    path = write_page(render(story), report_path(run, output))
    failed = story.stopped is not None
    if target is not None:
        from assay.reporting import document

        result: dict[str, Any] = {
            "folder": str(run), "report": str(path), "stopped_at": story.stopped.name if story.stopped else None,
        }
        document.write(
            document.document(verb="report", judgement=story.judgement, verdict="fail" if failed else "pass",
                              result=result, seconds={"total": time.perf_counter() - began}), target,
        )
    if target != "-":
        click.echo(f"The report is {path}: open it in a browser.")
    return 1 if failed else 0
