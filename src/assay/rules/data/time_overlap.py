"""Training examples are later than the examples that they are judged by.

## Why it hurts
A model that is used tomorrow knows nothing of tomorrow. With later rows among its training rows it has seen what the
evaluated rows lead to: trends, prices, the same customer a month on. The score then tells how well gaps in the past are
filled, which is easier than telling the future.

## What is looked at
The time column that the recipe states (`data.time`). Rows of one split that are later than the earliest row of the
next are an error: a time was stated because it orders the rows, so that no threshold enters. Rows at the same time
are not later. Rows within the stated gap (`data.split.gap`) before the next split are a warning. Where whole groups are
kept apart instead (`kind: grouped`), overlapping times are a note.

## Remedy
Split by time: `data.split.kind: time`, with a gap as long as a label takes to become known.

## When it is wrong to worry
Where the model is meant to fill gaps in the past, or time says nothing about the rows: state no time column.

## References
Kaufman et al., "Leakage in data mining: formulation, detection, and avoidance", ACM TKDD 6, 2012.
Kapoor and Narayanan, "Leakage and the reproducibility crisis in machine-learning-based science", Patterns 4, 2023.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.leakage import TimeFacts, TimeOrder
from assay.rule import ERROR, NOTE, WARNING, Finding, Severity, Verdict, rule


@rule(severity=ERROR)
def time_overlap(times: TimeFacts) -> Iterator[Verdict]:
    """Judge every pair of splits that ought to follow each other."""
    for order in times.orders:
        if order.later:
            yield _later(times, order)
        elif order.within:
            yield _within(times, order)


def _later(times: TimeFacts, order: TimeOrder) -> Finding:
    grouped = times.split_by in ("grouped", "stratified_grouped")
    return _finding(
        times, order, severity=NOTE if grouped else ERROR,
        summary=f"{order.later} of {order.rows} {order.first} rows are later than the first {order.second} row"
                + (", though whole groups are kept apart" if grouped else ""),
        fix="split by time (data.split.kind: time)",
    )


def _within(times: TimeFacts, order: TimeOrder) -> Finding:
    return _finding(
        times, order, severity=WARNING,
        summary=f"{order.within} {order.first} rows are closer to the first {order.second} row than the gap of "
                f"{times.gap:g}",
        fix="leave the rows within the gap out of training (data.split.kind: time does)",
    )


def _finding(times: TimeFacts, order: TimeOrder, *, severity: Severity, summary: str, fix: str) -> Finding:
    return Finding(
        summary=summary, severity=severity, fix=fix,
        evidence={"later": order.later, "within_gap": order.within, "share": order.share, "last": order.last,
                  "start": order.start, "rows": list(order.example), "split_by": times.split_by, "gap": times.gap},
    )
