"""Are the data what they seem?

## Question
Is this the table that the recipe was written for, can every value be learned from, and do the splits keep apart what
must stay apart?

## What is done
The table's fingerprint is taken and compared with the recipe's. Rows are counted and hashed in each split, classes
are counted, values are looked through, labels are held against the classes. Nothing is fitted, and of the test rows
only hashes and counts are taken. What the network will see is described by the range and the moments of the training
inputs after preprocessing.

## Passes when
No data rule finds an error: no shared rows beyond what the table's own repeats explain, no empty split, no class that
is missing from one, no label outside the classes, no NaN and nothing infinite, and the fingerprint that was recorded.

## What a failure usually means
A join, an export or a parser upstream of the recipe; a split made before repeats were dropped.
"""

from __future__ import annotations

from typing import Any

from assay.dataset import Dataset, Prepared
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.splits import ColumnFacts, DataVersionFacts, LabelFacts, SplitFacts
from assay.facts.task import TaskFacts
from assay.measure.columns import measure_columns
from assay.measure.labels import measure_labels
from assay.measure.splits import measure_splits
from assay.recipe.schema import ClassPath, DataBlock
from assay.stage import Ground, Measured, Progress, stage

UNSEEN = Absent("people's own data modules don't show their table and its splits")
UNSTATED = Absent("people's own classes don't state their task")
LOOKS = 3  # at the fingerprint, at the splits, at values and labels


@stage("Are the data what they seem?")
def data(ground: Ground) -> Measured:
    """Measure the table and its splits."""
    task = ground.assembly.task
    stated = FactSet(absent={TaskFacts: UNSTATED}) if task is None else FactSet.of(task)
    if ground.dataset is None or ground.split is None:
        kinds = (SplitFacts, ColumnFacts, LabelFacts, DataVersionFacts)
        facts = FactSet(absent=dict.fromkeys(kinds, UNSEEN)).joined(stated)
        return Measured(facts=facts, evidence=f"not checked: {UNSEEN.why}")
    ground.report(Progress(done=0, total=LOOKS, doing="fingerprint"))
    version = _version(ground.recipe.data, ground.dataset)
    ground.report(Progress(done=1, total=LOOKS, doing="splits"))
    splits = measure_splits(ground.dataset, ground.split)
    ground.report(Progress(done=2, total=LOOKS, doing="values and labels"))
    columns = measure_columns(ground.dataset, ground.split)
    labels = measure_labels(ground.dataset, ground.split, ignore_index=ground.recipe.objective.ignore_index)
    known = FactSet(absent={LabelFacts: labels}) if isinstance(labels, Absent) else FactSet.of(labels)
    return Measured(
        facts=FactSet.of(version, splits, columns).joined(known).joined(stated),
        evidence=_evidence(ground.dataset, splits),
        result={
            "name": ground.dataset.name, "rows": ground.dataset.rows, "columns": len(ground.dataset.columns),
            "fingerprint": version.found, "splits": _distribution(splits), "seen": _seen(ground.assembly.prepared),
        },
    )


def _version(block: DataBlock | ClassPath | None, dataset: Dataset) -> DataVersionFacts:
    found = dataset.fingerprint()
    if not isinstance(block, DataBlock):
        return DataVersionFacts(recorded=None, found=found, changes=())
    counts = tuple(int((dataset.y == each).sum()) for each in range(len(dataset.classes)))
    pairs: dict[str, tuple[Any, Any]] = {
        "rows": (block.rows, dataset.rows), "columns": (block.columns, len(dataset.columns)),
        "classes": (block.classes, dataset.classes or None), "class_counts": (block.class_counts, counts or None),
    }
    changes = tuple(
        f"{name}: {recorded}, now {now}" for name, (recorded, now) in pairs.items() if recorded not in (None, now)
    )
    return DataVersionFacts(recorded=block.fingerprint, found=found, changes=changes)


def _distribution(splits: SplitFacts) -> dict[str, dict[str, Any]]:
    """Rows, and examples of each class, in each split."""
    return {
        split.name: {"rows": split.rows, "classes": dict(zip(splits.classes, split.class_counts, strict=True))}
        for split in splits.splits
    }


def _evidence(dataset: Dataset, splits: SplitFacts) -> str:
    sizes = " / ".join(str(split.rows) for split in splits.splits)
    line = f"{dataset.rows} rows × {len(dataset.columns)} columns, split {sizes}"
    counts = splits.splits[0].class_counts
    if not counts:
        return line
    return f"{line}, {len(counts)} classes of {min(counts)} to {max(counts)} training examples"


def _seen(prepared: Prepared | None) -> dict[str, Any] | None:
    """The training inputs as they enter the network: shape, range, mean and standard deviation over all values."""
    if prepared is None or not prepared.train.x.size:
        return None
    x = prepared.train.x
    return {
        "shape": list(x.shape), "smallest": float(x.min()), "largest": float(x.max()),
        "mean": float(x.mean(dtype="float64")), "deviation": float(x.std(dtype="float64")),
    }
