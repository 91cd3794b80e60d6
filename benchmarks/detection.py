"""How many faults a watch finds, and how often it cries wolf, over a folder of cases.

    python benchmarks/detection.py CASES [--jobs 2] [--write docs/detection.md]

A case is a folder with `case.toml` (its `expect`, a list of rules any of which is right, and where known the `line` of
the fault), `buggy.py`, and `fixed.py`, the same program mended; one without buggy.py is a correct program that looks
suspicious. Each program runs as train.py in a folder of its own, by python and under watch. A fault counts as found
where an expected rule stands at error or warning; any such finding on a mended program is a false alarm. Overhead is
the CPU time under watch, less its start-up, against that without. With --write, the table between the marks of that
page is replaced.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOUD = ("error", "warning")
TIMEOUT = 300.0
MARKS = re.compile(r"(<!-- detection: begin -->\n).*?(<!-- detection: end -->)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one case.

    found, placed   None where it has no fault; `placed`: an expected finding names the file
    on_line         None where the case doesn't say which line
    alarms          rules that spoke up on the mended program
    seconds         CPU seconds of the mended program alone and under watch
    """

    name: str
    family: str
    expect: tuple[str, ...]
    found: bool | None
    placed: bool | None
    on_line: bool | None
    alarms: tuple[str, ...]
    seconds: tuple[float, float]


def run(command: list[str], folder: Path) -> float:
    """CPU seconds of one command in this folder."""
    child = subprocess.Popen(
        command, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + TIMEOUT
    while True:
        pid, _, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            return used.ru_utime + used.ru_stime
        if time.monotonic() > until:
            child.kill()
            raise SystemExit(f"{' '.join(command)} took longer than {TIMEOUT:.0f} s.")
        time.sleep(0.02)


def watched(program: Path) -> tuple[list[dict[str, Any]], float]:
    """The findings of a watch over a copy of this program, and its CPU seconds."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as aside:
        shutil.copy(program, Path(folder) / "train.py")
        out = Path(aside) / "findings.json"
        used = run([sys.executable, "-m", "assay", "watch", "--json", str(out), "train.py"], Path(folder))
        findings: list[dict[str, Any]] = json.loads(out.read_text())["findings"]
    return [each for each in findings if each["severity"] in LOUD], used


def alone(program: Path) -> float:
    """CPU seconds of a copy of this program run by python."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(program, Path(folder) / "train.py")
        return run([sys.executable, "train.py"], Path(folder))


def judged(case: Path) -> Row:
    """Run both programs of one case."""
    spec = tomllib.loads((case / "case.toml").read_text())
    expect = tuple(spec.get("expect", ()))
    found = placed = on_line = None
    if (case / "buggy.py").exists():
        right = [each for each in watched(case / "buggy.py")[0] if each["rule"] in expect]
        places = [each["where"] or {} for each in right]
        found = bool(right)
        placed = any(str(place.get("file")).endswith("train.py") for place in places)
        on_line = any(place.get("line") == spec["line"] for place in places) if "line" in spec else None
    alarms, under = watched(case / "fixed.py")
    return Row(
        name=case.name, family=spec.get("family", "?"), expect=expect, found=found, placed=placed, on_line=on_line,
        alarms=tuple(sorted({each["rule"] for each in alarms})), seconds=(alone(case / "fixed.py"), under),
    )


def start_up() -> float:
    """CPU seconds that watching adds to a script that does nothing but import torch."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "start.py"
        script.write_text("import torch\n")
        return watched(script)[1] - alone(script)


def table(rows: list[Row], start: float) -> str:
    """The figures by family, and over all, as Markdown."""
    by_family: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_family[row.family].append(row)
    lines = [
        "| family | faults | found | file | line | correct programs | false alarms |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(_line(family, members) for family, members in sorted(by_family.items())), _line("all", rows), "",
    ]
    ratios = [max(under - start, 0.0) / plain for plain, under in (row.seconds for row in rows)]
    lines.append(
        f"CPU time under watch, beyond {start:.2f} s of start-up: median {statistics.median(ratios):.2f} ×, "
        f"worst {max(ratios):.2f} ×.",
    )
    return "\n".join(lines) + "\n"


def _line(name: str, rows: list[Row]) -> str:
    faults = [row for row in rows if row.found is not None]
    found = sum(bool(row.found) for row in faults)
    placed = sum(bool(row.placed) for row in faults)
    lined = [row.on_line for row in faults if row.on_line is not None]
    lines = f"{sum(lined)} of {len(lined)}" if lined else "not stated"
    alarms = sum(bool(row.alarms) for row in rows)
    return f"| {name} | {len(faults)} | {found} | {placed} | {lines} | {len(rows)} | {alarms} |"


def lines_of(rows: Iterable[Row]) -> Iterable[str]:
    """What is not as it should be, one line each."""
    for row in rows:
        if row.found is False:
            yield f"missed: {row.name}, expected {', '.join(row.expect)}"
        if row.alarms:
            yield f"false alarm: {row.name}: {', '.join(row.alarms)}"


def main() -> None:
    """Print the table and every miss and false alarm; exit with 1 where there is one."""
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    ask.add_argument("cases", type=Path)
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--write", type=Path, metavar="PAGE")
    want = ask.parse_args()
    cases = sorted(path.parent for path in want.cases.glob("*/case.toml"))
    if not cases:
        raise SystemExit(f"There is no case in {want.cases}: give the folder that holds the cases' folders.")
    start = start_up()
    with ThreadPoolExecutor(want.jobs) as pool:
        rows = list(pool.map(judged, cases))
    made = table(rows, start)
    print(made)
    wrong = list(lines_of(rows))
    print("\n".join(wrong))
    if want.write is not None:
        page = want.write.read_text()
        want.write.write_text(MARKS.sub(lambda mark: f"{mark[1]}{made}{mark[2]}", page))
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
