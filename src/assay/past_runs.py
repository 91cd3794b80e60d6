"""The runs in a folder: how far each came, what it scored, and what differs from the one before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import RunFolderError, UnusableInput
from assay.ledger import Entry
from assay.recipe.choice import take_choices
from assay.recipe.yaml_tree import parse_yaml
from assay.record import RECORD
from assay.run_folder import LEDGER, open_run


@dataclass(frozen=True, kw_only=True)
class Change:
    """One thing that differs from the run before: a path in the recipe, "data", "commit", or a package's version."""

    path: str
    before: Any
    now: Any


@dataclass(frozen=True, kw_only=True)
class KeptScore:
    """What one opening of the test set gave; `why` is the reason where it was opened again."""

    at: str
    mean: float | None
    why: str | None


@dataclass(frozen=True, kw_only=True)
class PastRun:
    """One run.

    at              when it started: UTC, ISO 8601; empty where it never did
    stage, verdict  the last stage that ended, and its gate
    stopped_by      rules that found something there, if the gate failed
    waived          stages whose failed gate was passed by, with the reasons
    metric, score   by which runs are compared, the mean over the seeds that were trained, on validation rows
    opened          openings of the test set; `tests` are those whose scores were kept
    before          the name of the run that `changes` compare with: the one before of the same recipe's name
    fault           why the run can't be read; all else is then empty
    """

    folder: Path
    at: str = ""
    stage: str | None = None
    verdict: str | None = None
    stopped_by: tuple[str, ...] = ()
    waived: tuple[tuple[str, str], ...] = ()
    metric: str | None = None
    score: float | None = None
    seeds: int = 0
    opened: int = 0
    tests: tuple[KeptScore, ...] = ()
    before: str | None = None
    changes: tuple[Change, ...] = ()
    fault: str | None = None


@dataclass(frozen=True)
class _Kept:
    """A run with everything in which it may differ from others."""

    run: PastRun
    values: Mapping[str, Any]


def past_runs(root: Path) -> tuple[PastRun, ...]:
    """Every run in a folder, in the order in which they started; one that can't be read says why.

    Raises UnusableInput where there is no such folder.
    """
    if not root.is_dir():
        raise UnusableInput(f"There is no folder {root}: `assay run RECIPE` makes it, or name another with --runs.")
    try:
        folders = sorted(path for path in root.iterdir() if (path / LEDGER).is_file())
    except OSError as fault:
        raise UnusableInput(f"{root} can't be read ({fault.strerror or fault}): give the rights.") from fault
    kept = sorted((_read(folder) for folder in folders), key=lambda each: (each.run.at, each.run.folder.name))
    return tuple(_compared(kept))


def _compared(kept: Sequence[_Kept]) -> Iterator[PastRun]:
    last: dict[str, _Kept] = {}
    for each in kept:
        stem = re.sub(r"-\d+$", "", each.run.folder.name)
        before = last.get(stem)
        if before is None or each.run.fault:
            yield each.run
        else:
            changes = tuple(_changes(before.values, each.values))
            yield PastRun(**{**vars(each.run), "before": before.run.folder.name, "changes": changes})
        if not each.run.fault:
            last[stem] = each


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for path in dict.fromkeys([*before, *now]):
        if before.get(path) != now.get(path):
            yield Change(path=path, before=before.get(path), now=now.get(path))


def _read(folder: Path) -> _Kept:
    try:
        entries = open_run(folder).entries()
    except RunFolderError as fault:
        return _Kept(PastRun(folder=folder, fault=str(fault)), {})
    started = next((entry for entry in entries if entry.event == "started"), None)
    if started is None:
        return _Kept(PastRun(folder=folder, at=entries[0].at, fault="it stopped before it had a recipe"), {})
    run = PastRun(folder=folder, at=started.at, **_outcome(entries))
    return _Kept(run, {**_recipe(started), "data": started.payload["fingerprint"], **_recorded(folder)})


def _outcome(entries: Sequence[Entry]) -> dict[str, Any]:
    ended = [entry for entry in entries if entry.event == "stage"]
    climbed = [entry.payload for entry in ended if entry.payload["stage"] != "test"]
    results = {payload["stage"]: payload["result"] for payload in climbed}
    last = climbed[-1] if climbed else {}
    return {
        "stage": last.get("stage"), "verdict": last.get("verdict"), **_score(results),
        "stopped_by": tuple(last["findings"]) if last.get("verdict") == "failed" else (),
        "waived": tuple((each["stage"], str(each["why"])) for each in climbed if each["verdict"] == "waived"),
        "opened": sum(entry.event == "test-opened" for entry in entries),
        "tests": tuple(
            KeptScore(at=entry.at, mean=entry.payload["result"].get("mean"), why=entry.payload["why"])
            for entry in ended if entry.payload["stage"] == "test"
        ),
    }


def _score(results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    if "seeds" in results:
        found = results["seeds"]
        scored = sum(each["score"] is not None for each in found["seeds"])
        return {"metric": found["metric"], "score": found["mean"], "seeds": scored}
    found = results.get("single", {})
    return {"metric": found.get("metric"), "score": found.get("score"), "seeds": int(found.get("score") is not None)}


def _recipe(started: Entry) -> dict[str, Any]:
    """The recipe's values by path, whichever version of assay wrote them."""
    tree = parse_yaml(str(started.payload["recipe"]))
    take_choices(tree)
    values = dict(_flat(tree.value, ""))
    values.pop("data.fingerprint", None)  # the data as read say it
    return values


def _flat(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def _recorded(folder: Path) -> dict[str, Any]:
    """Commit and versions; whether the working tree differed from the commit counts too."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        source = record["source"]
        commit = source.get("commit")
        if commit and source.get("diff"):
            commit += " and changes"
        return {"commit": commit, **record["versions"]}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
