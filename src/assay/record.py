"""A run's record: what it stands on, so that a number can be traced to the code, data and machine that gave it.

Nothing here can fail: what can't be found out (no git, no GPU driver) is said instead.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from assay.facts.fact import Unknown
from assay.facts.plain import plain
from assay.ledger import write_document

RECORD = "record.json"

PACKAGES = ("assay", "torch", "pytorch-lightning", "lightning", "torchmetrics", "scikit-learn", "numpy", "scipy",
            "pydantic", "mlflow-skinny", "tensorboard")
"""Packages whose version can change a result; those that aren't installed are left out."""

LONGEST_DIFF = 1_000_000
"""Characters of a diff that are kept; longer ones come from files that don't belong under version control."""

PATIENCE = 20.0
"""Seconds that another program (git, nvidia-smi) may take to answer."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """The code's state: the commit, what differs from it (a unified diff), and files that git doesn't know."""

    commit: str
    diff: str
    untracked: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Hardware:
    """The machine. `cores` are those that this process may use, `memory` is in bytes, `gpus` are as the driver says."""

    system: str
    processor: str
    cores: int
    memory: int
    gpus: tuple[str, ...] | Unknown


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a run stands on; `recipe` is the digest of the resolved recipe, `data` the data's fingerprint."""

    command: tuple[str, ...]
    folder: str
    python: str
    versions: dict[str, str]
    hardware: Hardware
    source: Source | Unknown
    seeds: tuple[int, ...]
    recipe: str
    data: str | None


def gather_record(
    *, recipe: str, data: str | None, seeds: Sequence[int], command: Sequence[str] | None = None,
) -> Record:
    """Look at the process, the machine and the working folder.

    recipe      digest of the resolved recipe
    data        fingerprint of the data, None for people's own data modules
    command     the command line; this process's own if not given
    """
    working = Path.cwd()
    return Record(
        command=tuple(sys.argv if command is None else command), folder=str(working), python=platform.python_version(),
        versions=_versions(), hardware=_hardware(), source=_source(working), seeds=tuple(seeds), recipe=recipe,
        data=data,
    )


def write_record(folder: Path, record: Record) -> None:
    """Write folder/record.json. Raises RunFolderError where it can't be written."""
    write_document(folder / RECORD, json.dumps(plain(record), indent=2, allow_nan=False) + "\n")


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def _hardware() -> Hardware:
    return Hardware(
        system=platform.platform(), processor=_processor(), cores=_cores(),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), gpus=_gpus(),
    )


def _processor() -> str:
    """Linux keeps the processor's name in /proc; elsewhere platform knows it, or at least its kind."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text(errors="replace").splitlines() if described.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _gpus() -> tuple[str, ...] | Unknown:
    if shutil.which("nvidia-smi") is None:
        return Unknown("no NVIDIA driver is installed")
    answer = _ask("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
    return answer if isinstance(answer, Unknown) else tuple(answer.splitlines())


def _source(folder: Path) -> Source | Unknown:
    commit = _git(folder, "rev-parse", "HEAD")
    if isinstance(commit, Unknown):
        return commit
    diff = _git(folder, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD")
    untracked = _git(folder, "ls-files", "--others", "--exclude-standard")
    if isinstance(diff, Unknown):
        return diff
    if len(diff) > LONGEST_DIFF:
        diff = f"{diff[:LONGEST_DIFF]}\n… {len(diff) - LONGEST_DIFF} more characters were left out\n"
    files = () if isinstance(untracked, Unknown) else tuple(untracked.splitlines())
    return Source(commit=commit.strip(), diff=diff, untracked=files)


def _git(folder: Path, *arguments: str) -> str | Unknown:
    if shutil.which("git") is None:
        return Unknown("git is not installed")
    # a repository's own settings may name programs to run: none of them is needed to read it
    return _ask("git", "-C", str(folder), "-c", "core.fsmonitor=false", "-c", "core.pager=cat", *arguments)


def _ask(*command: str) -> str | Unknown:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603  # fixed commands, no shell
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, env=environment, check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Unknown(f"{command[0]} did not answer: {fault}")
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        return Unknown(f"{command[0]}: {said[0]}")
    return done.stdout
