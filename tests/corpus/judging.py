"""Takes a case through `assay init` and the data stage, in this process and nowhere else."""

from __future__ import annotations

import traceback
import zlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from click.testing import CliRunner

from assay.cli import main
from assay.errors import UnusableInput
from assay.rule import Finding
from assay.running import Asked, run
from tests.corpus.tables import Case

LOUD = ("error", "warning")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a table.

    refused     the sentence that refused it
    broken      a traceback, or the rules that broke: never right
    recipe      what `init` wrote
    """

    case: Case
    findings: tuple[Finding, ...] = ()
    refused: str = ""
    broken: str = ""
    recipe: str = ""

    @property
    def alarms(self) -> list[str]:
        """Findings at error or warning."""
        return [f"{each.rule}: {each.summary}" for each in self.findings if each.severity in LOUD]

    @property
    def right(self) -> bool:
        """Silent on a sound table, and the planted fault found in a faulty one."""
        if self.broken:
            return False
        if self.case.sound:
            return not self.refused and not self.alarms
        if self.refused:
            one_sentence = "\n" not in self.refused
            return one_sentence and bool(self.case.refused) and self.case.refused in self.refused
        named = {each.rule for each in _all(self.findings) if self.case.quiet or each.severity in LOUD}
        return bool(named & {*self.case.rules})


def judged(case: Case) -> Outcome:
    """Write the table, draft its recipe, and climb to the data stage."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        recipe = folder / "recipe.yaml"
        arguments = case.write(folder, np.random.default_rng(zlib.crc32(case.name.encode())))
        ended = CliRunner().invoke(main, ["init", *arguments, "--output", str(recipe)])
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            return Outcome(case=case, broken="".join(traceback.format_exception(ended.exception)))
        if ended.exit_code != 0:
            return Outcome(case=case, refused=ended.stderr.strip())
        return _climbed(case, recipe)


def _climbed(case: Case, recipe: Path) -> Outcome:
    text = recipe.read_text(encoding="utf-8")
    try:
        climb = run(recipe, asked=Asked(to="data"), runs=recipe.parent / "runs", overrides=case.settings)
    except UnusableInput as fault:
        return Outcome(case=case, refused=str(fault), recipe=text)
    except Exception:
        return Outcome(case=case, broken=traceback.format_exc(), recipe=text)
    judgement = climb.judgement
    broken = "; ".join(f"{rule} broke: {why}" for rule, why in judgement.broken.items())
    return Outcome(case=case, findings=judgement.findings, broken=broken, recipe=text)


def _all(findings: tuple[Finding, ...]) -> list[Finding]:
    """Findings with those that they explain."""
    return [each for finding in findings for each in (finding, *_all(finding.explains))]
