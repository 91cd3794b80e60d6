"""What a run's folder tells, read for the page: nothing is measured, and nothing of torch is imported."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import RunFolderError
from assay.facts.encoding import read_facts
from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet, join
from assay.ledger import Entry
from assay.recipe.origin import Origin
from assay.recipe.plan import Plan, plan
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import Resolved, resolve
from assay.record import RECORD
from assay.reporting.html.curves import SeedCurves, read_curves
from assay.rule import Judgement, judge
from assay.rules import catalogue
from assay.run_folder import open_run

OPENED = "test-opened"
"""The ledger's event of an opening."""

F = TypeVar("F", bound=Fact)

LADDER = {
    "data": "Are the data what they seem?",
    "baselines": "What does good mean here?",
    "smoke": "Does one step work as meant?",
    "overfit": "Can it memorise a tiny batch?",
    "subset": "Does one epoch work end to end, validation and resume included?",
    "single": "Does one full run beat the baselines?",
    "seeds": "Is it stable over seeds?",
}
"""The stages in their order, each with its question. The stages themselves say it too, but import torch."""


@dataclass(frozen=True, kw_only=True)
class StageStory:
    """How one stage ended, as the ledger tells it; `findings` are those that it was the first to report."""

    name: str
    verdict: str
    evidence: str
    seconds: float
    why: str | None
    result: Mapping[str, Any]
    findings: tuple[Mapping[str, Any], ...]
    at: str


@dataclass(frozen=True, kw_only=True)
class Story:
    """A run.

    made        the first entry of the ledger; `last` the latest
    stages      those that ended, by name, in the ladder's order; the latest end counts
    tests       the looks at the test rows, in order, whose scores were kept
    judgement   of all facts, by the rules of this assay
    record      record.json; empty where it is missing
    """

    folder: Path
    entries: tuple[Entry, ...]
    stages: Mapping[str, StageStory]
    tests: tuple[StageStory, ...]
    resolved: Resolved
    plan: Plan
    facts: FactSet
    judgement: Judgement
    curves: tuple[SeedCurves, ...]
    record: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.folder.resolve().name

    @property
    def opened(self) -> tuple[Entry, ...]:
        """Every opening of the test set; it is written down before anything is scored."""
        return tuple(entry for entry in self.entries if entry.event == OPENED)

    @property
    def stopped(self) -> StageStory | None:
        """The stage whose gate failed, if one did."""
        return next((stage for stage in self.stages.values() if stage.verdict == "failed"), None)

    def fact(self, kind: type[F]) -> F | None:
        """The fact of this kind, if it was recorded."""
        found = self.facts.find(kind)
        return found if isinstance(found, kind) else None


def read_story(folder: Path) -> Story:
    """Read a run. Raises RunFolderError where the folder is none of a run, or holds something that is damaged."""
    entries = open_run(folder).entries()
    resolved = _resolved(folder, entries)
    stages = _stages(folder, entries)
    tests = tuple(_tests(folder, entries))
    facts = join(read_facts(folder / name / "facts.jsonl") for name in (*stages, *(["test"] if tests else [])))
    return Story(
        folder=folder, entries=entries, stages=stages, tests=tests, resolved=resolved,
        plan=plan(resolved), facts=facts, judgement=judge(catalogue(), facts, allow=_allowed(resolved, entries)),
        curves=read_curves(folder, {name: stage.result for name, stage in stages.items()}),
        record=_document(folder / RECORD, missing={}),
    )


def _resolved(folder: Path, entries: Sequence[Entry]) -> Resolved:
    """The recipe that the run started with; where its values came from is kept by the ledger alone."""
    started = next((entry.payload for entry in entries if entry.event == "started"), None)
    if started is None:
        raise RunFolderError(f"{folder} holds a run that stopped before it had a recipe: there is nothing to report.")
    resolved = resolve(parse_recipe(started["recipe"], name=str(folder / "recipe.yaml")))
    origins = {path: Origin(origin) for path, origin in started["origins"].items() if path in resolved.origins}
    return replace(resolved, origins={**resolved.origins, **origins})


def _stages(folder: Path, entries: Sequence[Entry]) -> dict[str, StageStory]:
    ended = {str(entry.payload["stage"]): entry for entry in entries if entry.event == "stage"}
    return {name: _stage(folder, ended[name]) for name in LADDER if name in ended}


def _tests(folder: Path, entries: Sequence[Entry]) -> Iterator[StageStory]:
    for entry in entries:
        if entry.event == "stage" and entry.payload["stage"] == "test":
            yield _stage(folder, entry)


def _stage(folder: Path, entry: Entry) -> StageStory:
    told = entry.payload
    return StageStory(
        name=told["stage"], verdict=told["verdict"], evidence=told["evidence"], seconds=told["seconds"],
        why=told["why"], result=told["result"], at=entry.at,
        findings=_findings(folder / told["stage"] / "findings.json"),
    )


def _findings(path: Path) -> tuple[Mapping[str, Any], ...]:
    found = _document(path, missing=[])
    for each in found:
        if not isinstance(each, dict) or not all(isinstance(each.get(name), str) for name in ("severity", "summary")):
            raise RunFolderError(f"{path} doesn't hold findings: it is damaged, so there is no report of it.")
    return tuple(found)


def _allowed(resolved: Resolved, entries: Sequence[Entry]) -> tuple[str, ...]:
    """The recipe's allowances and those of the command line, which each stage's entry names."""
    named = (name for entry in entries if entry.event == "stage" for name in entry.payload.get("allow", ()))
    return tuple(dict.fromkeys([*resolved.recipe.allow, *named]))


def _document(path: Path, *, missing: list[Any] | dict[str, Any]) -> Any:
    """A document of the same form as `missing`, which stands for one that isn't there."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return missing
    except (OSError, ValueError, RecursionError) as fault:
        raise RunFolderError(f"{path} can't be read ({fault}): it is damaged, so there is no report of it.") from fault
    if not isinstance(found, type(missing)):
        raise RunFolderError(f"{path} holds something else than was written: it is damaged, so there is no report.")
    return found
