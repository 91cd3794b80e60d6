"""Are the data what they seem?

## Question
Is this the table that the recipe was written for, can every value be learned from, and do the splits keep apart what
must stay apart?

## What is done
The table's fingerprint is taken and compared with the recipe's. Rows are counted and hashed in each split, classes
are counted, values are looked through, labels are held against the classes. Small probes, fitted for the purpose and
thrown away, ask whether evaluation rows can be told from training rows, whether labels stand beside their own rows,
whether inputs say anything about labels, which labels they contradict, and whether one column gives the target away.
Rows are compared with their neighbours in the other splits, groups and times across them.
Of the test rows only hashes, counts and inputs are compared, never a label with an input. What the network will see is
described by the range and the moments of the training inputs after preprocessing.

## Passes when
No data rule finds an error: no shared rows beyond what the table's own repeats explain, no empty split, no class that
is missing from one, no label outside the classes, no NaN and nothing infinite, and the fingerprint that was recorded.

## What a failure usually means
A join, an export or a parser upstream of the recipe; a split made before repeats were dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from assay.dataset import Dataset, Prepared, Split
from assay.facts.channels import ChannelFacts
from assay.facts.drift import CategoryFacts, DriftFacts
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet, join
from assay.facts.inputs import InputFacts
from assay.facts.label_quality import ConflictFacts, RelationFacts, SuspectFacts
from assay.facts.label_shift import LabelShiftFacts
from assay.facts.leakage import GroupFacts, NearOverlapFacts, TargetLeakFacts, TimeFacts, WindowFacts
from assay.facts.scaling import FittedFacts, InputScaleFacts, SelectionFacts
from assay.facts.seal import SealFacts
from assay.facts.splits import ColumnFacts, DataVersionFacts, LabelFacts, SplitFacts
from assay.facts.target_ends import TargetEndFacts
from assay.facts.task import TaskFacts
from assay.measure.categories import measure_categories
from assay.measure.channels import measure_channels
from assay.measure.columns import measure_columns
from assay.measure.conflicts import measure_conflicts
from assay.measure.drift import measure_drift
from assay.measure.fitted import measure_fitted
from assay.measure.groups import measure_groups
from assay.measure.input_scale import measure_input_scale
from assay.measure.inputs import measure_inputs
from assay.measure.label_shift import measure_label_shift
from assay.measure.labels import measure_labels
from assay.measure.near_overlap import measure_near_overlap
from assay.measure.relation import measure_relation
from assay.measure.selection import measure_selection
from assay.measure.splits import measure_splits
from assay.measure.suspects import measure_suspects
from assay.measure.target_ends import measure_target_ends
from assay.measure.target_leak import measure_target_leak
from assay.measure.times import measure_times
from assay.measure.windows import measure_windows
from assay.recipe.schema import ClassPath, DataBlock, Recipe, SplitPlan, TableData
from assay.stage import Ground, Measured, Progress, Report, stage

UNSEEN = Absent("people's own data modules don't show their table and its splits")
UNSTATED = Absent("people's own classes don't state their task")
NAMED = 5  # classes, up to which each is named with its count; more are told by their range
CLOSED = Absent("the test set is closed: `assay test` opens it", applicable=False)


@dataclass(frozen=True, kw_only=True)
class Table:
    """What the looks see: the rows as read and as they enter, and what the recipe says of them."""

    recipe: Recipe
    dataset: Dataset
    split: Split
    prepared: Prepared | None

    @property
    def scale(self) -> str:
        """How the recipe scales the inputs."""
        return self.recipe.data.scale if isinstance(self.recipe.data, DataBlock) else "none"

    @property
    def plan(self) -> SplitPlan:
        """How the rows were divided."""
        return self.recipe.data.split if isinstance(self.recipe.data, DataBlock) else SplitPlan()

    @property
    def divided(self) -> str:
        """The kind of the split."""
        return self.plan.kind or ("random" if self.dataset.task == "regression" else "stratified")

    @property
    def given(self) -> bool:
        """The test rows come from a file of their own."""
        return isinstance(self.recipe.data, TableData) and self.recipe.data.test_file is not None

    @property
    def together(self) -> bool:
        """Identical inputs stay in one split."""
        return isinstance(self.recipe.data, TableData) and self.recipe.data.identical_rows == "together"


@dataclass(frozen=True)
class Look:
    """One measurement: what it is called while it runs, the kind of fact that it gives, and how it is taken."""

    doing: str
    kind: type[Fact]
    take: Callable[[Table], Fact | Absent]


LOOKS = (
    Look("fingerprint", DataVersionFacts, lambda table: _version(table.recipe.data, table.dataset)),
    Look("splits", SplitFacts, lambda table: measure_splits(table.dataset, table.split)),
    Look("values", ColumnFacts, lambda table: measure_columns(table.dataset, table.split)),
    Look("labels", LabelFacts, lambda table: measure_labels(
        table.dataset, table.split, ignore_index=table.recipe.objective.ignore_index)),
    Look("groups", GroupFacts, lambda table: measure_groups(table.dataset, table.split, table.plan)),
    Look("times", TimeFacts, lambda table: measure_times(table.dataset, table.split, table.plan)),
    Look("windows", WindowFacts, lambda table: measure_windows(table.dataset, table.split)),
    Look("near-copies", NearOverlapFacts, lambda table: measure_near_overlap(table.dataset, table.split)),
    Look("conflicting labels", ConflictFacts, lambda table: measure_conflicts(table.dataset, table.split)),
    Look("columns that tell the target", TargetLeakFacts, lambda table: measure_target_leak(
        table.dataset, table.split)),
    Look("inputs against labels", RelationFacts, lambda table: measure_relation(table.dataset, table.split)),
    Look("suspect labels", SuspectFacts, lambda table: measure_suspects(table.dataset, table.split)),
    Look("marks of a selection", SelectionFacts, lambda table: measure_selection(table.dataset, table.split)),
    Look("marks of a scaler", FittedFacts, lambda table: measure_fitted(table.dataset, table.split, table.prepared)),
    Look("scale of the inputs", InputScaleFacts, lambda table: measure_input_scale(
        table.dataset, table.prepared, table.scale)),
    Look("ends of the target", TargetEndFacts, lambda table: measure_target_ends(table.dataset, table.split)),
    Look("categories", CategoryFacts, lambda table: measure_categories(
        table.dataset, table.split, divided=table.divided)),
    Look("drift", DriftFacts, lambda table: measure_drift(
        table.dataset, table.split, divided=table.divided, given=table.given, together=table.together)),
    Look("place of the labels", LabelShiftFacts, lambda table: measure_label_shift(table.dataset, table.split)),
    Look("order of channels", ChannelFacts, lambda table: _channels(table)),
    Look("what the model sees", InputFacts, lambda table: _inputs(table)),
)


@stage("Are the data what they seem?")
def data(ground: Ground) -> Measured:
    """Measure the table and its splits."""
    task = ground.assembly.task
    known = FactSet(absent={TaskFacts: UNSTATED}) if task is None else FactSet.of(task)
    stated = FactSet(absent={SealFacts: CLOSED}).joined(known)
    if ground.dataset is None or ground.split is None:
        facts = FactSet(absent=dict.fromkeys((look.kind for look in LOOKS), UNSEEN)).joined(stated)
        return Measured(facts=facts, evidence=UNSEEN.why)
    prepared = ground.assembly.prepared
    table = Table(recipe=ground.recipe, dataset=ground.dataset, split=ground.split, prepared=prepared)
    facts = table.dataset.known.joined(join(_taken(table, ground.report))).joined(stated)
    version, splits = facts.find(DataVersionFacts), facts.find(SplitFacts)
    assert isinstance(version, DataVersionFacts)
    assert isinstance(splits, SplitFacts)
    return Measured(
        facts=facts, evidence=_evidence(table.dataset, splits),
        result={
            "name": table.dataset.name, "rows": table.dataset.rows, "columns": len(table.dataset.columns),
            "fingerprint": version.found, "splits": _distribution(splits), "seen": _seen(prepared),
        },
    )


def _taken(table: Table, report: Report) -> Iterator[FactSet]:
    for done, look in enumerate(LOOKS):
        report(Progress(done=done, total=len(LOOKS), doing=look.doing))
        found = look.take(table)
        yield FactSet(absent={look.kind: found}) if isinstance(found, Absent) else FactSet.of(found)


def _inputs(table: Table) -> InputFacts | Absent:
    if table.prepared is None or not table.prepared.train.x.size:
        return Absent("the training examples were not prepared by the recipe")
    return measure_inputs(table.dataset, table.prepared)


def _channels(table: Table) -> ChannelFacts | Absent:
    return Absent("no images were prepared") if table.prepared is None else measure_channels(table.prepared.train.x)


def _version(block: DataBlock | ClassPath | None, dataset: Dataset) -> DataVersionFacts:
    found = dataset.fingerprint()
    if not isinstance(block, DataBlock):
        return DataVersionFacts(recorded=None, found=found, changes=())
    counts = dataset.class_counts()
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
    if len(counts) > NAMED:
        return f"{line}, {len(counts)} classes of {min(counts)} to {max(counts)} training examples"
    named = ", ".join(f"{name} {count}" for name, count in zip(splits.classes, counts, strict=True))
    return f"{line}, training examples: {named}"


def _seen(prepared: Prepared | None) -> dict[str, Any] | None:
    """The training inputs as they enter the network: shape, range, mean and standard deviation over all values."""
    if prepared is None or not prepared.train.x.size:
        return None
    x = prepared.train.x
    return {
        "shape": list(x.shape), "smallest": float(x.min()), "largest": float(x.max()),
        "mean": float(x.mean(dtype="float64")), "deviation": float(x.std(dtype="float64")),
    }
