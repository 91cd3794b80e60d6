"""Runs' folders made by hand, in the form that `assay run` writes, so that a report needs no training."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.facts.encoding import write_facts
from assay.facts.fact import Unknown
from assay.facts.fact_set import FactSet
from assay.facts.inputs import ColumnSpread, InputFacts, InputSpread, ShownExample
from assay.facts.plain import plain
from assay.facts.splits import BadColumn, ColumnFacts, SplitFacts, SplitRecord
from assay.facts.task import TaskFacts
from assay.facts.training import BaselineScore, ScoreFacts, SeedScore
from assay.ledger import Ledger
from assay.record import Hardware, Record, Source, write_record
from assay.rule import judge
from assay.rules import catalogue
from assay.run_folder import LEDGER, new_run_folder

HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "W" * 240, "a\u202eb & c' \x00\x1b[31m", "{{7*7}}",
)
"""Names that a file may well hold: markup, quotes, no place to break, text that turns around, control characters."""

RECIPE = """
task: {value: multiclass, status: justified, why: "<b>because</b>"}
data: {source: sklearn, name: iris}
training: {learning_rate: {value: 1e-3, status: copied, source: "</style><script>alert(2)</script>"}}
checkpointing: {monitor: val_macro_f1, mode: max}
"""


@dataclass(kw_only=True)
class Made:
    """What a run's folder is to hold."""

    names: Sequence[str] = ("setosa", "versicolor", "virginica")
    seeds: int = 3
    epochs: int = 12
    upto: str = "seeds"
    verdicts: Mapping[str, str] = field(default_factory=dict)
    faulty: bool = False
    image: tuple[int, int] | None = None
    why: str | None = None
    recipe: str = RECIPE


def make_run(root: Path, made: Made) -> Path:
    """Write the folder, stage by stage up to `made.upto`, and give its path."""
    folder = new_run_folder(root, "made")
    ledger = Ledger(folder / LEDGER)
    ledger.append("started", recipe=made.recipe, origins={"training.learning_rate": "command line"}, digest="",
                  fingerprint="sha256:0", imports_from=str(root))
    write_record(folder, record(made))
    facts = FactSet()
    for stage, measured, result in stages(made):
        facts = facts.joined(measured)
        write_facts(folder / stage / "facts.jsonl", measured)
        if stage in ("single", "seeds"):
            write_curves(folder, stage, made)
        found = judge(catalogue(), facts).findings
        (folder / stage / "findings.json").write_text(json.dumps(plain(found)))
        ledger.append("stage", stage=stage, verdict=made.verdicts.get(stage, "passed"),
                      evidence=f"{made.names[0]} looked at", seconds=1.5, result=result, why=made.why,
                      findings=[each.rule for each in found], allow=[])
        if stage == made.upto:
            break
    return folder


def stages(made: Made) -> list[tuple[str, FactSet, dict[str, Any]]]:
    """Every stage with its facts and its payload."""
    count = len(made.names)
    task = TaskFacts(kind="multiclass", outputs=count, classes=tuple(made.names), selects="macro_f1", sense="max")
    baselines = tuple(BaselineScore(name=name, scores={"macro_f1": score, "accuracy": score})
                      for name, score in (("constant", 0.1), (made.names[0], 0.8), ("boosted trees", 0.82)))
    scores = [0.9 + 0.01 * seed for seed in range(made.seeds)]
    told = [{"seed": seed, "score": score, "epoch": made.epochs // 2, "failure": None, **classes(count)}
            for seed, score in enumerate(scores)]
    single = ScoreFacts(metric="macro_f1", sense="max", validation_rows=200, baselines=baselines,
                        seeds=(SeedScore(seed=0, score=scores[0], epoch=made.epochs // 2),))
    every = tuple(SeedScore(seed=seed, score=score, epoch=made.epochs // 2) for seed, score in enumerate(scores))
    return [
        ("data", FactSet.of(task, splits(made.names), columns(made), inputs(made)), {"rows": 1000}),
        ("baselines", FactSet.of(ScoreFacts(metric="macro_f1", sense="max", validation_rows=200, baselines=baselines,
                                            seeds=())), {}),
        *((name, FactSet.of(task), {}) for name in ("smoke", "overfit", "subset")),
        ("single", FactSet.of(single), {**told[0], "metric": "macro_f1"}),
        ("seeds", FactSet.of(ScoreFacts(metric="macro_f1", sense="max", validation_rows=200, baselines=baselines,
                                        seeds=every)),
         {"metric": "macro_f1", "sense": "max", "seeds": told, "mean": sum(scores) / len(scores), "deviation": 0.01,
          "interval": [0.88, 0.94], "baselines": {}}),
    ]


def classes(count: int) -> dict[str, Any]:
    """A confusion matrix in which each class is taken for the next more often; the last has no example."""
    matrix = [[0] * count for _ in range(count)]
    for label in range(count - 1):
        wrong = 3 + 9 * label % 38
        matrix[label][label], matrix[label][label + 1] = 40 - wrong, wrong
    recalls = [matrix[label][label] / 40 for label in range(count - 1)]
    return {"confusion_matrix": matrix, "per_class_recall": [*recalls, math.nan]}


def splits(names: Sequence[str]) -> SplitFacts:
    """600, 200 and 200 rows, the classes as even as can be."""
    parts = (("train", 600), ("validation", 200), ("test", 200))
    records = (SplitRecord(name=name, rows=rows, class_counts=(rows // len(names),) * len(names))
               for name, rows in parts)
    return SplitFacts(splits=tuple(records), classes=tuple(names), overlaps=(), repeated_share=0.0)


def columns(made: Made) -> ColumnFacts:
    """A column of NaN, if there is to be a finding at error."""
    bad = BadColumn(column=made.names[0], what="NaN", count=7, rows=(1, 2, 3))
    return ColumnFacts(columns=4, bad=(bad,) if made.faulty else ())


def inputs(made: Made) -> InputFacts:
    """Columns of each kind and examples; pictures where an image's shape is given."""
    names = (*made.names, "date", "category")
    table = tuple(ColumnSpread(name=name, kind="number", missing=0.25, smallest=-1.5, middle=0.0, largest=1e308,
                               counts=(1, 5, 3), distinct=9) for name in made.names)
    table += (
        ColumnSpread(name="date", kind="date", missing=0.0, smallest=19000.0, middle=19500.0, largest=1e12,
                     counts=(4, 4), distinct=8),
        ColumnSpread(name="category", kind="category", missing=0.0, smallest=None, middle=None, largest=None,
                     counts=(5, 3), levels=tuple(made.names[:2]), distinct=12),
    )
    width = made.image[0] * made.image[1] if made.image else len(names)
    shown = tuple(ShownExample(row=number, label=name, values=tuple(0.1 * at for at in range(width)))
                  for number, name in enumerate(made.names))
    spreads = tuple(InputSpread(name=name, smallest=-3.0, largest=10.0, mean=0.0, deviation=1.0) for name in names)
    return InputFacts(rows=600, columns=len(table), width=width, table=table, inputs=spreads, examples=shown,
                      image=made.image)


def write_curves(folder: Path, stage: str, made: Made) -> None:
    """metrics.csv of the first seed, or of the others."""
    for seed in [0] if stage == "single" else range(1, made.seeds):
        path = folder / stage / f"seed-{seed}" / "metrics.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = ["epoch,step,train_loss_step,train_loss,val_loss,val_macro_f1,val_accuracy,learning_rate"]
        for epoch in range(made.epochs):
            loss = 2.0 * 0.6**epoch
            lines.append(f"{epoch},{10 * epoch + 10},{loss},,,,,0.001")
            score = 0.9 - 0.5 * 0.5**epoch
            lines.append(f"{epoch},{10 * epoch + 10},,{loss},{loss + 0.1},{score},{score},0.001")
        path.write_text("\n".join(lines) + "\n")


def record(made: Made) -> Record:
    """A record whose command and files are as hostile as the names."""
    return Record(
        command=("assay", "run", made.names[0]), folder="/work", python="3.11.7", versions={"torch": "2.13.0"},
        hardware=Hardware(system="Linux", processor="a processor", cores=2, memory=2**34,
                          gpus=Unknown("no NVIDIA driver is installed")),
        source=Source(commit="0" * 40, diff=f"--- a/x.py\n+++ b/{made.names[0]}\n", untracked=(made.names[-1],)),
        seeds=tuple(range(made.seeds)), recipe="sha256:1", data="sha256:2",
    )
