"""Weights are written with their unit."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from assay.facts.fact_set import FactSet
from assay.recipe.schema import TableData
from assay.tables.reading import read_table


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    rows = [(f"{weight:.1f} kg", weight > 70) for weight in rng.normal(70, 10, size=300)]
    lines = ["weight,label", *(f"{weight},{'yes' if heavy else 'no'}" for weight, heavy in rows)]
    with TemporaryDirectory() as folder:
        Path(folder, "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        data = TableData(name="table", files=("table.csv",), target="label")
        return read_table(data, folder=Path(folder)).known
