"""Measure whether the columns look as if they had been picked by the labels of evaluation rows.

Who picks the best of many columns by a score keeps those above a line: what is left starts at the line, and thins out
quickly beyond it. Columns that were not picked by these rows scatter by one standard deviation of chance at the least.
Test rows are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.scaling import SelectionFacts

Values = NDArray[np.float64]

FEWEST_COLUMNS, FEWEST_ROWS = 20, 50
ROWS = 20_000  # the first of the training and validation rows
COLUMNS = 1_000


def measure_selection(dataset: Dataset, split: Split) -> SelectionFacts | Absent:
    """Correlate every number with the target over training and validation rows.

    Absent for several classes or labels, and where fewer than twenty numbers vary.
    """
    if dataset.task not in ("binary", "regression"):
        return Absent("columns picked by several classes leave no mark that this measurement knows")
    rows = np.sort(np.concatenate([split.train, split.validation]))[:ROWS]
    rows = rows[np.isfinite(dataset.y[rows].astype(np.float64))]
    training = np.isin(rows, split.train)
    numbers = [at for at in range(dataset.x.shape[1]) if dataset.kind_of(at) == "number"][:COLUMNS]
    x = _standard(dataset.x[np.ix_(rows, numbers)])
    y = _standard(dataset.y[rows].astype(np.float64)[:, None])
    if x.shape[1] < FEWEST_COLUMNS or len(rows) < FEWEST_ROWS or y.shape[1] == 0:
        return Absent("picking among fewer than twenty numbers leaves no mark")
    strengths = np.sort(np.abs(x.T @ y)[:, 0])[::-1] / np.sqrt(len(rows))
    spread = float(strengths.std(ddof=1))
    between = x.T @ x / len(rows)
    pairs = between[np.triu_indices(len(between), 1)]
    return SelectionFacts(
        rows=len(rows), strengths=tuple(float(each) for each in strengths), spread=spread,
        improbable=float(chi2.cdf((len(strengths) - 1) * spread**2, len(strengths) - 1)),
        agreement=_agreement(x, y, training), entangled=float((pairs**2).mean() * len(rows)),
    )


def _agreement(x: Values, y: Values, training: NDArray[np.bool_]) -> float:
    learned, held = x[training].T @ y[training], x[~training].T @ y[~training]
    return float((np.sign(learned) * held).sum() / np.sqrt(max((~training).sum(), 1) * len(held)))


def _standard(values: Values) -> Values:
    """Mean 0 and deviation 1, missing values at the mean; constants are taken out."""
    known = np.isfinite(values)
    count = np.maximum(known.sum(axis=0), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        filled = np.where(known, values, np.where(known, values, 0.0).sum(axis=0) / count)
        centred = filled - filled.mean(axis=0)
        deviation = np.sqrt((centred**2).mean(axis=0))
    varies = np.isfinite(deviation) & (deviation > 1e-12 * np.maximum(np.abs(filled).max(axis=0, initial=0.0), 1e-300))
    return np.asarray(centred[:, varies] / deviation[varies])
