"""Whether watching changes a program: its weights after every step, its output and the next random numbers, bit by bit.

`python -m tests.identity FILE_OR_FOLDER...` runs every program there three times, each in a process and a folder of its
own: twice as it is, to know whether it repeats itself, and once watched. Without arguments: all healthy programs and
all pairs of the rules. It prints what differs, and ends with 1 where anything does.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parent
RECORDER = TESTS / "identity_recorder.py"
PROCESSES = 2
PATIENCE = 300
"""Seconds after which a program counts as hanging."""


@dataclass(frozen=True)
class Trace:
    """What one run came to: digests of the weights after all steps, of its output, and of the next random numbers."""

    exit: int
    steps: int
    weights: str
    output: str
    randomness: str


def trace(program: Path, *, watched: bool) -> Trace:
    """Run the program in an empty folder, by itself or watched."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "train.py"
        script.write_text(program.read_text(encoding="utf-8"), encoding="utf-8")
        kept = Path(folder) / "trace.json"
        done = subprocess.run(
            [sys.executable, str(RECORDER), str(kept), "watched" if watched else "alone", "train.py"],
            cwd=folder, capture_output=True, timeout=PATIENCE, check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        )
        if not kept.exists():
            raise RuntimeError(f"{program}: {done.stderr.decode()[-500:]}")
        return Trace(exit=done.returncode, output=done.stdout.decode(), **json.loads(kept.read_text()))


def difference(program: Path) -> str:
    """What watching changes: nothing where it is empty; "not repeatable" where the program doesn't repeat itself."""
    first, again = trace(program, watched=False), trace(program, watched=False)
    if first != again:
        return NOT_REPEATABLE
    watched = trace(program, watched=True)
    fields = ("exit", "steps", "weights", "output", "randomness")
    return ", ".join(name for name in fields if getattr(first, name) != getattr(watched, name))


NOT_REPEATABLE = "not repeatable"


def programs(paths: list[Path]) -> list[Path]:
    """The programs at these paths: files, and all in folders that train when they run, in this process alone."""
    found = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
    left_out = ("\ndef facts(", "torch.distributed", "\ndef test_")
    return [
        file for file in found
        if file.name != "__init__.py" and not any(mark in file.read_text(encoding="utf-8") for mark in left_out)
    ]


OURS = [TESTS / "healthy", *(TESTS / "rules").glob("*/*/")]


def main(paths: list[str]) -> int:
    """Print what differs; 1 where anything does."""
    chosen = programs([Path(path) for path in paths] or OURS)
    changed = unrepeatable = 0
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        for program, found in zip(chosen, pool.map(difference, chosen), strict=True):
            unrepeatable += found == NOT_REPEATABLE
            changed += bool(found) and found != NOT_REPEATABLE
            if found:
                print(f"{program}: {found}", flush=True)
    print(f"{len(chosen)} programs: {changed} changed by watching, {unrepeatable} don't repeat themselves")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
