"""An unknown height is written as -999."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from assay.facts.fact_set import FactSet
from assay.recipe.schema import TableData
from assay.tables.reading import read_table


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    heights = np.where(rng.random(300) < 0.1, -999, rng.normal(170, 10, size=300).round(1))
    lines = ["height,label", *(f"{height},{'yes' if height > 170 else 'no'}" for height in heights)]
    with TemporaryDirectory() as folder:
        Path(folder, "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        data = TableData(name="table", files=("table.csv",), target="label")
        return read_table(data, folder=Path(folder)).known
