"""Measure which evaluated examples a model was trained on, from the fingerprints of what passed through it."""

from __future__ import annotations

import linecache
import re
from collections.abc import Sequence

import numpy as np

from assay.coarseness import natural_share
from assay.example_book import Chain, Evaluation, ExampleBook, Phase, Rows
from assay.facts.examples import EvaluatedExamples, ExampleFacts
from assay.facts.fact import Absent, Place
from assay.probe import place_in
from assay.row_hashes import row_hashes

COLUMNS = 256  # of an example that are looked at for how coarse they are, spread evenly
HELD_OUT = re.compile(r"(?<![a-z])(x|y)?(val(id(ate|ation)?)?|te|test|dev|held_?out)(?![a-z])", re.IGNORECASE)
TRAIN = re.compile(r"train|(?<![a-z])(x|y)?tr(?![a-z])|(?<![a-z])fit(?![a-z])", re.IGNORECASE)


def measure_examples(books: Sequence[ExampleBook]) -> ExampleFacts | Absent:
    """Count what training had used of each evaluation.

    Absent where no model was both trained and evaluated on a fixed set of examples.
    """
    found = [_evaluated(book, *each) for book in books for each in book.fixed()]
    if not found:
        why = "no model was trained on examples that repeat, and then evaluated on a fixed set of others"
        return Absent(why)
    return ExampleFacts(evaluations=tuple(found))


def _evaluated(book: ExampleBook, evaluation: Evaluation, phase: Phase) -> EvaluatedExamples:
    distinct = set(phase.fingerprints)
    met = sum(each in book.trained for each in distinct)
    mixes = 0 < phase.known < len(phase.fingerprints)
    return EvaluatedExamples(
        place=_place(evaluation), rows=len(phase.fingerprints), distinct=len(distinct), known=phase.known,
        training=len(book.trained), covered=met / len(book.trained),
        again=sum(each.digest == phase.digest for each in evaluation.phases) > 1,
        always_known=all(each.known == len(each.fingerprints) for each in evaluation.after_training),
        held_out=_held_out(evaluation.chain), ways=len(book.lines),
        natural_share=_natural(book.trained) if mixes else None,
    )


def _place(evaluation: Evaluation) -> Place | None:
    return place_in(*evaluation.chain[0][:2]) if evaluation.chain else None


def _held_out(chain: Chain) -> bool:
    """Whether the innermost line that says anything of it calls the examples validation or test, and not training.

    A line speaks by its text and by the name of its function.
    """
    for file, line, function in chain:
        said = f"{function} {linecache.getline(file, line)}"
        if TRAIN.search(said):
            return False
        if HELD_OUT.search(said):
            return True
    return False


def _natural(rows: Rows) -> float:
    x = rows.values.astype(np.float64)
    if not x.size:
        return 1.0
    if x.shape[1] > COLUMNS:
        x = x[:, np.linspace(0, x.shape[1] - 1, COLUMNS).astype(np.int64)]
    return natural_share(x, np.arange(len(x)), row_hashes(x))
