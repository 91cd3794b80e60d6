"""A question mark stands where nobody knew the class."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from assay.facts.fact_set import FactSet
from assay.recipe.schema import TableData
from assay.tables.reading import read_table


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    rows = [(value, "yes" if value > 0 else "no") for value in rng.normal(size=300)]
    lines = ["a,label", *(f"{value:.3f},{'?' if value * 1000 % 10 < 1 else label}" for value, label in rows)]
    with TemporaryDirectory() as folder:
        Path(folder, "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        data = TableData(name="table", files=("table.csv",), target="label")
        return read_table(data, folder=Path(folder)).known
