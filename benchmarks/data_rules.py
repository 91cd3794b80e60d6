"""What the data stage costs on a large table: CPU seconds and memory of each look, on one thread.

    python benchmarks/data_rules.py [--rows 1000000] [--columns 50]

The target is 60 seconds and 4 GiB for 1,000,000 rows of 50 columns. A fifth of the columns are categories. Exit code 1
beyond the target.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.preparation import prepare, split
from assay.recipe.schema import DataBlock, Recipe, SplitPlan
from assay.rule import judge
from assay.rules import catalogue
from assay.stages.data import LOOKS, Table

SECONDS, GIBIBYTES = 60.0, 4.0
LEVELS = 6  # of each category


def table(rows: int, columns: int) -> Dataset:
    """Numbers and categories, a label that follows the first number, three rows to a group, a row a second."""
    rng = np.random.default_rng(0)
    numbers = columns - columns // 5
    x = rng.normal(size=(rows, columns))
    x[:, numbers:] = rng.integers(0, LEVELS, size=(rows, columns - numbers))
    names = tuple(f"c{at}" for at in range(columns))
    levels = tuple(f"level {at}" for at in range(LEVELS))
    return Dataset(
        name="large", task="binary", x=x, y=(x[:, 0] + rng.normal(size=rows) > 0).astype(np.int64), columns=names,
        classes=("no", "yes"), kinds=("number",) * numbers + ("category",) * (columns - numbers),
        categories=dict.fromkeys(names[numbers:], levels), groups=np.arange(rows) // 3, times=np.arange(float(rows)),
    )


def memory() -> float:
    """The most that this process has held, in GiB."""
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held / 2**30 if sys.platform == "darwin" else held / 2**20


def main() -> int:
    """Print the cost of each look, and of judging; 1 where the sum is beyond the target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    asked = parser.parse_args()
    dataset = table(asked.rows, asked.columns)
    block = DataBlock(source="sklearn", name=dataset.name, split=SplitPlan(kind="random"))
    rows = split(dataset, block.split)
    seen = Table(recipe=Recipe(data=block), dataset=dataset, split=rows, prepared=prepare(dataset, rows, block))
    print(f"{asked.rows:,} rows x {asked.columns} columns, in memory with what enters the network: {memory():.2f} GiB")
    facts, began = FactSet(), time.process_time()
    for look in LOOKS:
        start = time.process_time()
        found = look.take(seen)
        facts = facts.joined(FactSet(absent={look.kind: found}) if isinstance(found, Absent) else FactSet.of(found))
        print(f"  {look.doing:30} {time.process_time() - start:7.2f} s  {memory():5.2f} GiB", flush=True)
    judge((rule for rule in catalogue() if rule.family == "data"), facts)
    seconds, most = time.process_time() - began, memory()
    print(f"  {'all looks and rules':30} {seconds:7.2f} s  {most:5.2f} GiB, of {SECONDS:.0f} s and {GIBIBYTES:.0f} GiB")
    return int(seconds > SECONDS or most > GIBIBYTES)


if __name__ == "__main__":
    sys.exit(main())
