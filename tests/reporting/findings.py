"""Findings that the tests of reports show."""

from __future__ import annotations

import math

from assay.facts.fact import Place
from assay.rule import ERROR, WARNING, Finding, Where

PLATEAU = Finding(
    rule="plateau-at-floor", family="curve", severity=ERROR, summary="the loss stalls at 1.4612",
    evidence={"level": 1.4612}, fix="mend what holds it there",
)
PROBABILITIES = Finding(
    rule="loss-on-probabilities", family="loss", severity=ERROR,
    summary="cross_entropy is given probabilities: softmax is applied twice",
    where=Where(place=Place("train.py", 42), module="head", step=0),
    evidence={"row_sums": (1.0, 1.0), "chain": ["NllLoss", "LogSoftmax", "Softmax"], "lost": None},
    impact="the loss can't fall below 1.461 = log(1 + 9/e)", fix="pass the scores that come before softmax",
    explains=(PLATEAU,),
)
EMPTY = Finding(
    rule="split-empty", family="data", severity=WARNING, summary="validation holds [bold]36[/bold] rows",
    evidence={"rows": 36, "score": math.nan}, fix="use a larger part",
)
