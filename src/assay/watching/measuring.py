"""What is measured once a watched program has ended, on the examples that passed through its models."""

from __future__ import annotations

from collections.abc import Sequence

from assay.example_book import ExampleBook
from assay.facts.examples import ExampleFacts, ExampleWindowFacts
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.scaling import FittedFacts
from assay.measure.example_moments import measure_example_moments
from assay.measure.example_overlap import measure_examples
from assay.measure.example_windows import measure_example_windows
from assay.probe import Faults

MEASUREMENTS = {
    ExampleFacts: measure_examples, ExampleWindowFacts: measure_example_windows, FittedFacts: measure_example_moments,
}


def measured(books: Sequence[ExampleBook], faults: Faults) -> FactSet:
    """The facts of every measurement; one that fails is told like a probe that does."""
    found = FactSet()
    for kind, measure in MEASUREMENTS.items():
        try:
            fact = measure(books)
        except Exception as fault:  # noqa: BLE001  # the other measurements still stand
            faults.note("examples", fault)
            fact = Absent(f"measuring failed: {type(fault).__name__}: {fault}")
        found = found.joined(FactSet(absent={kind: fact}) if isinstance(fact, Absent) else FactSet.of(fact))
    return found
