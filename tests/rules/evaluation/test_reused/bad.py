"""Another run of the same user has looked at these test rows already."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.ledger import Ledger
from assay.seal import Look, UserFile, seal_facts, sealed_rows


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100, 3))
    y = (x[:, 0] > 0).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abc"), classes=("no", "yes"))
    train, validation, test = np.split(rng.permutation(100), [60, 80])
    rows = sealed_rows(table, Split(train=train, validation=validation, test=test))
    with tempfile.TemporaryDirectory() as folder:
        user_file = UserFile(Path(folder) / "openings.jsonl")
        user_file.add(Look(look="1", at="2026-01-01T00:00:00+00:00", run="other", folder="runs/other-001", rows=rows))
        return FactSet.of(seal_facts(Ledger(Path(folder) / "ledger.jsonl"), user_file, run="this", rows=rows))
