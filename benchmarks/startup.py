"""CPU seconds until a verb answers, against the targets. `python benchmarks/startup.py`; median of seven runs each."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPEATS = 7
RECIPE = (
    "task: binary\n"
    "data: {source: sklearn, name: breast_cancer, rows: 569, columns: 30, classes: [malignant, benign]}\n"
)
COMMANDS = (
    (("--help",), 0.3), (("rule",), 0.3), (("rule", "loss-on-probabilities"), 0.3), (("wach",), 0.3),
    (("run", "--nonsense"), 0.3), (("plan", "recipe.yaml"), 0.8),
)


def cpu_seconds(command: list[str], folder: str) -> float:
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if "Traceback" in done.stderr:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    assay = [sys.executable, "-m", "assay"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "recipe.yaml").write_text(RECIPE)
        bare = statistics.median(cpu_seconds([sys.executable, "-c", "pass"], folder) for _ in range(REPEATS))
        print(f"{'python alone':<36}{bare:5.2f} s")
        for arguments, target in COMMANDS:
            seconds = statistics.median(cpu_seconds([*assay, *arguments], folder) for _ in range(REPEATS))
            verdict = "within" if seconds <= target else f"{seconds - target:.2f} s over"
            print(f"{'assay ' + ' '.join(arguments):<36}{seconds:5.2f} s   {verdict} {target} s")


if __name__ == "__main__":
    main()
