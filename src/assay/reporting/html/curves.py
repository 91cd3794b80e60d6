"""The curves of a run's seeds, read from their metrics.csv and placed by epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import RunFolderError
from assay.training.metrics_log import read_log

Points = tuple[tuple[float, float], ...]
"""(epochs trained, value), rising: what was logged at the end of the first epoch stands at 1."""


@dataclass(frozen=True, kw_only=True)
class SeedCurves:
    """One seed's series by their names in metrics.csv.

    best    epochs trained at the best one, None where there is none (yet)
    """

    seed: int
    series: Mapping[str, Points]
    best: int | None

    @property
    def epochs(self) -> float:
        """The last point of any series."""
        return max((points[-1][0] for points in self.series.values() if points), default=0.0)

    def scores(self) -> dict[str, float]:
        """Validation metrics at the best epoch, by name."""
        if self.best is None:
            return {}
        at_best = {name: dict(points).get(float(self.best)) for name, points in self.series.items()}
        return {name.removeprefix("val_"): value for name, value in at_best.items()
                if value is not None and name.startswith("val_")}


def read_curves(folder: Path, results: Mapping[str, Mapping[str, Any]]) -> tuple[SeedCurves, ...]:
    """Every seed that has begun to train, by rising number.

    results     of the stages `single` and `seeds`, as far as they ended: they know the best epochs

    Raises RunFolderError where a metrics.csv is damaged.
    """
    best: dict[int, int | None] = {each["seed"]: each["epoch"] for each in results.get("seeds", {}).get("seeds", ())}
    single = results.get("single", {})
    if "seed" in single:
        best.setdefault(single["seed"], single["epoch"])
    found = []
    for path in sorted(folder.glob("s*/seed-*/metrics.csv")):
        number = path.parent.name.removeprefix("seed-")
        if path.parent.parent.name in ("single", "seeds") and number.isdigit():
            epoch = best.get(int(number))
            found.append(SeedCurves(seed=int(number), series=_series(path), best=None if epoch is None else epoch + 1))
    return tuple(sorted(found, key=lambda each: each.seed))


def _series(path: Path) -> dict[str, Points]:
    try:
        rows = read_log(path)
        ends = _last_steps(rows)
        series: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            for name, value in row.items():
                if name not in ("epoch", "step"):
                    series.setdefault(name, []).append((_epochs(row, ends), float(value)))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise RunFolderError(f"{path} can't be read ({fault}): it is damaged, so there is no report of it.") from fault
    return {name: tuple(points) for name, points in series.items()}


def _last_steps(rows: tuple[dict[str, float], ...]) -> dict[int, float]:
    ends: dict[int, float] = {}
    for row in rows:
        ends[int(row["epoch"])] = max(row["step"], ends.get(int(row["epoch"]), 0))
    return ends


def _epochs(row: Mapping[str, float], ends: Mapping[int, float]) -> float:
    """A step within an epoch stands between the ends of the one before and its own."""
    epoch = int(row["epoch"])
    before = ends.get(epoch - 1, 0.0)
    length = ends[epoch] - before
    return epoch + ((row["step"] - before) / length if length > 0 else 1.0)
