"""What is measured once a watched program has ended, on the examples that passed through its models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from assay.dataset import Dataset, Split
from assay.example_book import ExampleBook, Fit, Ordered
from assay.facts.examples import ExampleFacts, ExampleScaleFacts, ExampleWindowFacts, TransformerFacts
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.label_shift import LabelShiftFacts
from assay.facts.scaling import FittedFacts
from assay.measure.example_fits import measure_example_fits
from assay.measure.example_moments import measure_example_moments
from assay.measure.example_overlap import measure_examples
from assay.measure.example_scales import measure_example_scales
from assay.measure.example_windows import measure_example_windows
from assay.measure.label_shift import measure_label_shift
from assay.probe import Faults

Measure = Callable[[], Fact | Absent]


@dataclass(frozen=True, kw_only=True)
class Passed:
    """What the probes kept of a program's examples."""

    books: Sequence[ExampleBook]
    fits: Sequence[Fit]
    ordered: Ordered | None


def measured(passed: Passed, faults: Faults) -> FactSet:
    """The facts of every measurement; one that fails is told like a probe that does."""
    measurements: Mapping[type[Fact], Measure] = {
        ExampleFacts: partial(measure_examples, passed.books),
        ExampleWindowFacts: partial(measure_example_windows, passed.books),
        ExampleScaleFacts: partial(measure_example_scales, passed.books),
        FittedFacts: partial(measure_example_moments, passed.books),
        TransformerFacts: partial(measure_example_fits, passed.books, passed.fits),
        LabelShiftFacts: partial(_label_shift, passed.ordered),
    }
    found = FactSet()
    for kind, measure in measurements.items():
        try:
            fact = measure()
        except Exception as fault:  # noqa: BLE001  # the other measurements still stand
            faults.note("examples", fault)
            fact = Absent(f"measuring failed: {type(fault).__name__}: {fault}")
        found = found.joined(FactSet(absent={kind: fact}) if isinstance(fact, Absent) else FactSet.of(fact))
    return found


CLASSES = 50  # different whole numbers, up to which labels are taken for classes


def _label_shift(ordered: Ordered | None) -> LabelShiftFacts | Absent:
    """The shift between inputs and labels in the program's own order, taken for an order in time."""
    if ordered is None:
        return Absent("the arrays that batches were taken from weren't found")
    values, codes = np.unique(ordered.labels, return_inverse=True)
    classes = ordered.whole_numbers and len(values) <= CLASSES
    rows = np.arange(len(ordered.labels))
    dataset = Dataset(
        name="watched", task="multiclass" if classes else "regression", x=ordered.inputs.astype(np.float64),
        y=codes.astype(np.int64) if classes else ordered.labels,
        columns=tuple(f"feature {each}" for each in range(ordered.inputs.shape[1])),
        classes=tuple(f"{each:g}" for each in values) if classes else (),
    )
    found = measure_label_shift(dataset, Split(train=rows, validation=rows[:0], test=rows[:0]))
    if isinstance(found, Absent):
        return found
    return replace(found, in_time=True, place=ordered.place)
