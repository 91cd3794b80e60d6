"""The programs beside the rules: found, run once a session, and judged on what was recorded.

`python -m tests.rules.programs PATH...` prints what all rules say to the programs at these paths.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import os
import pickle
import random
import runpy
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pytest
import torch

from assay.facts.fact_set import FactSet
from assay.rule import Finding, Rule, judge
from assay.watching.ranks import gathering, joined
from assay.watching.session import recording

RULES = Path(__file__).parent
HEALTHY = RULES.parent / "healthy"
MARK = "# expect"
PATIENCE, ATTEMPTS = 60, 4
"""Seconds for a program in a process of its own, and how often it is tried."""
OPTIONAL = ("torch_geometric", "transformers", "ignite", "skorch")
"""Packages of extras, without which programs that use them can't run."""


@dataclass(frozen=True)
class ProgramFile:
    """One program, bad or good, a script or a measurement."""

    path: Path

    @property
    def rule(self) -> str:
        """The name of the rule whose folder holds it."""
        return self.path.parent.name.replace("_", "-")

    @property
    def bad(self) -> bool:
        """Whether the rule must fire on it."""
        return self.path.name.startswith("bad")

    @property
    def name(self) -> str:
        """Its path below the tests."""
        return str(self.path.relative_to(RULES.parent))

    @cached_property
    def text(self) -> str:
        """Its source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def marked(self) -> frozenset[int]:
        """The guilty lines, from 1."""
        lines = enumerate(self.text.splitlines(), 1)
        return frozenset(number for number, line in lines if line.rstrip().endswith(MARK))

    @cached_property
    def measures(self) -> bool:
        """Whether it is a measurement: a function `facts` at its top level."""
        return any(isinstance(node, ast.FunctionDef) and node.name == "facts" for node in ast.parse(self.text).body)


def programs_of(rule: Rule, root: Path = RULES) -> list[ProgramFile]:
    """The programs in the rule's folder."""
    folder = root / rule.family / rule.name.replace("-", "_")
    return [ProgramFile(path) for path in sorted(folder.glob("*.py")) if path.name.startswith(("bad", "good"))]


def folders(root: Path = RULES) -> list[Path]:
    """Every folder two levels down that holds a file."""
    return sorted({path.parent for path in root.glob("*/*/*.py")})


def healthy(root: Path = HEALTHY) -> list[ProgramFile]:
    """Correct programs that belong to no rule."""
    return [ProgramFile(path) for path in sorted(root.glob("*.py")) if path.name != "__init__.py"]


@cache
def recorded(program: ProgramFile) -> FactSet:
    """What is known of the program after it ran; it runs once, its output and randomness kept to itself.

    Skips, saying so, where the program needs an optional package that isn't installed.
    """
    for package in OPTIONAL:
        if package in program.text:
            pytest.importorskip(package)
    return _apart(program) if "torch.distributed" in program.text else run(program)


def _apart(program: ProgramFile) -> FactSet:
    """The same in a process of its own: ranks that are forked from one that has trained before may wait for ever.

    Ranks whose gradients were looked at may also wait for ever when their process group is taken down (its threads are
    joined by one that holds Python's lock): a run that doesn't end is run again.
    """
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "facts"
        command = [sys.executable, "-m", "tests.rules.programs", "--facts", str(kept), str(program.path)]
        for _ in range(ATTEMPTS):
            with subprocess.Popen(
                command, cwd=RULES.parent.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,
            ) as process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(PATIENCE)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # and every rank that is left
            if kept.exists():
                facts: FactSet = pickle.loads(kept.read_bytes())
                return facts
    raise AssertionError(f"{program.name} left no facts: python -m tests.rules.programs {program.path} shows why")


def run(program: ProgramFile) -> FactSet:
    """What is known of the program after it ran in this process."""
    if "DistributedDataParallel" in program.text:
        importlib.import_module("torch._dynamo")  # which every rank would import by itself, in 1.5 s
    with _isolated(), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if program.measures:
            measured: FactSet = runpy.run_path(str(program.path), run_name=f"program_{program.path.stem}")["facts"]()
            return measured
        with gathering() as ranks:
            with recording() as seen:
                runpy.run_path(str(program.path), run_name="__main__")
            left = ranks.left()
        broken = [each.broken for each in (seen, *left) if each.broken]
        assert not broken, f"{program.name}: {broken}"
        return joined(seen.facts(), left)


@contextlib.contextmanager
def _isolated() -> Iterator[None]:
    states = random.getstate(), np.random.get_state(), torch.get_rng_state(), sys.argv, torch.get_default_dtype()
    sys.argv = ["train.py"]
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
        torch.set_rng_state(states[2])
        sys.argv = states[3]
        torch.set_default_dtype(states[4])


def findings_of(rule: Rule, program: ProgramFile) -> tuple[Finding, ...]:
    """What one rule finds in a program."""
    judgement = judge([rule], recorded(program))
    assert not judgement.broken, f"{rule.name} broke on {program.name}: {judgement.broken}"
    return judgement.findings


def loud(findings: tuple[Finding, ...]) -> list[Finding]:
    """Those at error or warning."""
    return [finding for finding in findings if finding.severity in ("error", "warning")]


def missed(rule: Rule, programs: list[ProgramFile]) -> list[str]:
    """Where the rule fails its own programs: silent on a bad one, beside the marked line, or loud on a good one."""
    faults = []
    for program in programs:
        findings = findings_of(rule, program)
        if program.bad:
            faults += _beside(program, findings)
        elif loud(findings) or (findings and program.path.name == "good.py"):
            faults.append(f"{program.name}: {[finding.summary for finding in findings]}")
    return faults


def _beside(program: ProgramFile, findings: tuple[Finding, ...]) -> list[str]:
    if not findings:
        return [f"{program.name}: nothing found"]
    places = [finding.where.place for finding in findings if finding.where and finding.where.place]
    lines = {place.line for place in places if Path(place.file).resolve() == program.path}
    if program.marked and (lines != program.marked or len(places) < len(findings)):
        return [f"{program.name}: found at {sorted(lines)}, marked at {sorted(program.marked)}"]
    if places and not program.marked:
        return [f"{program.name}: found at {sorted(lines)}, where nothing is marked"]
    return []


def _main(paths: list[str]) -> None:
    if paths[:1] == ["--facts"]:
        Path(paths[1]).write_bytes(pickle.dumps(run(ProgramFile(Path(paths[2]).resolve()))))
        return
    from assay.reporting.findings import finding_text
    from assay.rules import catalogue

    for path in paths:
        judgement = judge(catalogue(), recorded(ProgramFile(Path(path).resolve())))
        print(f"{path}: {len(judgement.findings)} findings; passed: {', '.join(judgement.passed) or 'none'}")
        for finding in judgement.findings:
            print(finding_text(finding), end="")
        for name, why in judgement.broken.items():
            print(f"broken: {name}: {why}")


if __name__ == "__main__":
    _main(sys.argv[1:])
