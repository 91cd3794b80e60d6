"""Facts about what chooses: the quantity that selects the best weights, and the rows that it is measured on."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Unknown


@dataclass(frozen=True, kw_only=True)
class MonitorFacts(Fact):
    """What the best checkpoint is chosen by.

    monitor     the logged quantity
    test_rows   test rows that were held, by hashes of their inputs, against those that passed through validation
    validated   how many of them did pass; `natural` of them have an equal among the validation split's own rows
    """

    monitor: str
    test_rows: int | Unknown
    validated: int
    natural: int
