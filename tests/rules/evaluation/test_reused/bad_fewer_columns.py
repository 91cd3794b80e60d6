"""The rows were looked at with one more column, which has been left out since."""

from __future__ import annotations

import tempfile
from dataclasses import replace
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
    split = Split(train=train, validation=validation, test=test)
    rows = sealed_rows(replace(table, x=x[:, :2], columns=tuple("ab")), split)
    before = sealed_rows(table, split)
    with tempfile.TemporaryDirectory() as folder:
        user_file = UserFile(Path(folder) / "openings.jsonl")
        user_file.add(Look(look="1", at="2026-01-01T00:00:00+00:00", run="other", folder="runs/other-001", rows=before))
        return FactSet.of(seal_facts(Ledger(Path(folder) / "ledger.jsonl"), user_file, run="this", rows=rows))
