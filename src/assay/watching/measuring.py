"""What is measured once a watched program has ended, on the examples that passed through its models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from assay.example_book import ExampleBook, Fit
from assay.facts.examples import ExampleFacts, ExampleWindowFacts, TransformerFacts
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.scaling import FittedFacts
from assay.measure.example_fits import measure_example_fits
from assay.measure.example_moments import measure_example_moments
from assay.measure.example_overlap import measure_examples
from assay.measure.example_windows import measure_example_windows
from assay.probe import Faults

Measure = Callable[[], Fact | Absent]


def measured(books: Sequence[ExampleBook], fits: Sequence[Fit], faults: Faults) -> FactSet:
    """The facts of every measurement; one that fails is told like a probe that does."""
    measurements: Mapping[type[Fact], Measure] = {
        ExampleFacts: partial(measure_examples, books),
        ExampleWindowFacts: partial(measure_example_windows, books),
        FittedFacts: partial(measure_example_moments, books),
        TransformerFacts: partial(measure_example_fits, books, fits),
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
