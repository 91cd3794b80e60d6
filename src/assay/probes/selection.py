"""Selection: what chooses among epochs, by callbacks of libraries, by a plateau's scheduler, and by comparisons.

Callbacks are noted when they are made, and asked for what they follow. Comparisons are read from the program's own
text once it has ended; nothing is read of a program that takes no step.
"""

from __future__ import annotations

import ast
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, wraps
from pathlib import Path
from types import FrameType
from typing import Any

from assay.announcing import when_imported
from assay.at_hand import names_in
from assay.comparing import Comparison, comparisons_in, kept_in_vain
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.selection import ChoiceFacts, ComparisonRecord, KeptRecord, MonitorRecord, PatienceRecord
from assay.measured_on import behind, names_validation
from assay.patience_code import never_set_back
from assay.probe import Faults, Patches, after, is_library, own_files, place_of_making
from assay.program_text import argument_of, tree_of
from assay.traffic import Traffic

FOLLOWERS = (
    ("lightning.pytorch.callbacks.model_checkpoint", "ModelCheckpoint", "check_monitor_top_k"),
    ("lightning.pytorch.callbacks.early_stopping", "EarlyStopping", "_evaluate_stopping_criteria"),
    ("pytorch_lightning.callbacks.model_checkpoint", "ModelCheckpoint", "check_monitor_top_k"),
    ("pytorch_lightning.callbacks.early_stopping", "EarlyStopping", "_evaluate_stopping_criteria"),
    ("transformers.training_args", "TrainingArguments", ""),
    ("torch.optim.lr_scheduler", "ReduceLROnPlateau", "step"),
)
"""Classes that follow a quantity: module, name, and the method that is handed its value."""

VALUES = 64


@dataclass(eq=False)
class Follower:
    """A callback or scheduler, held weakly, and what it found."""

    reference: weakref.ref[Any]
    kind: str
    place: Place | None
    monitor: str = ""
    mode: str = ""
    asked: int = 0
    values: list[float] = field(default_factory=list)

    def found(self, value: Any) -> None:
        """It looked, and this is what it found."""
        self.asked += 1
        if len(self.values) < VALUES:
            self.values.append(float(value))


class Selection:
    """Records what chooses among epochs."""

    name = "selection"
    kinds: tuple[type[Fact], ...] = (ChoiceFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._cancels: list[Callable[[], None]] = []
        self._followers: list[Follower] = []
        self._files: tuple[str, ...] = ()
        self._comparisons: tuple[ComparisonRecord, ...] = ()
        self._kept: tuple[KeptRecord, ...] = ()
        self._validates = False
        self._patience: tuple[PatienceRecord, ...] = ()
        self._first = faults.contained(self.name, self._stepped)

    def attach(self) -> None:
        """Wrap the making and the questions of what follows a quantity, once it is imported."""
        for module, kind, question in FOLLOWERS:
            wrap = self._faults.contained(self.name, partial(self._wrap, module, kind, question))
            self._cancels.append(when_imported(module, wrap))
        self._traffic.stepped.append(self._first)

    def detach(self) -> None:
        """Put the originals back, and read the program's comparisons."""
        for cancel in self._cancels:
            cancel()
        self._patches.restore()
        self._faults.contained(self.name, self._read)()

    def facts(self) -> FactSet:
        """What chooses; absent where the program takes no step."""
        if not self._files and not self._followers:
            return FactSet(absent={ChoiceFacts: Absent("nothing was trained", applicable=False)})
        return FactSet.of(ChoiceFacts(
            monitors=tuple(map(_record, filter(lambda each: each.monitor and each.mode, self._followers))),
            comparisons=self._comparisons, kept_in_vain=self._kept, validates=self._validates,
            patience=self._patience,
        ))

    def _wrap(self, module: str, name: str, question: str) -> None:
        kind = getattr(sys.modules[module], name)
        made = self._faults.contained(self.name, partial(self._made, name))
        self._patches.replace(kind, "__init__", partial(after, made))
        if question:
            self._patches.replace(kind, question, self._asking)

    def _asking(self, original: Any) -> Any:
        look = self._faults.contained(self.name, self._asked)

        @wraps(original)
        def question(this: Any, *arguments: Any, **named: Any) -> Any:
            look(this, (*arguments, *named.values()), sys._getframe(1))  # noqa: SLF001  # the caller's frame
            return original(this, *arguments, **named)

        return question

    def _made(self, kind: str, follower: Any) -> None:
        monitor, mode = _followed(follower)
        self._followers.append(Follower(weakref.ref(follower), kind, place_of_making(follower), monitor, mode))

    def _asked(self, this: Any, given: tuple[Any, ...], caller: FrameType) -> None:
        follower = next((each for each in self._followers if each.reference() is this), None)
        value = next((each for each in given if _is_number(each)), None)
        if follower is None or value is None:
            return
        if not follower.monitor:  # a plateau's scheduler is handed a number: its name stands in the caller's text
            follower.monitor = _name_of_number(caller)
        follower.found(value)

    def _stepped(self, _: Any) -> None:
        self._files = own_files()
        self._traffic.stepped.remove(self._first)

    def _read(self) -> None:
        for file in self._files:
            tree = tree_of(file)
            if tree is not None:
                shown = _relative(file)
                self._comparisons += tuple(_compared(tree, shown, each) for each in comparisons_in(tree))
                self._patience += tuple(
                    PatienceRecord(place=Place(shown, each.line), name=each.name, best=each.best)
                    for each in never_set_back(tree, {each.line: each.best for each in comparisons_in(tree)})
                )
                self._validates |= names_validation(tree)
                self._kept += tuple(
                    KeptRecord(place=Place(shown, each.line), name=each.name, alias_of=each.alias_of)
                    for each in kept_in_vain(tree)
                )


def _followed(follower: Any) -> tuple[str, str]:
    """The quantity's name and which way is better, as the follower's own settings say."""
    if hasattr(follower, "metric_for_best_model"):
        if not follower.load_best_model_at_end:
            return "", ""
        return follower.metric_for_best_model or "", "max" if follower.greater_is_better else "min"
    return getattr(follower, "monitor", None) or "", follower.mode


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or getattr(value, "ndim", None) == 0


def _name_of_number(caller: FrameType) -> str:
    """What a number is called: by Lightning's own loop, or by the text of the user's line that hands it over."""
    frame: FrameType | None = caller
    while frame is not None and is_library(frame.f_code.co_filename):
        if "monitor_key" in frame.f_code.co_varnames:
            return str(names_in(frame).get("monitor_key") or "")
        frame = frame.f_back
    return argument_of(frame.f_code.co_filename, frame.f_lineno, "step") if frame is not None else ""


def _record(follower: Follower) -> MonitorRecord:
    return MonitorRecord(
        kind=follower.kind, place=follower.place, monitor=follower.monitor,
        mode="max" if follower.mode == "max" else "min", asked=follower.asked, values=tuple(follower.values),
    )


def _compared(tree: ast.Module, file: str, each: Comparison) -> ComparisonRecord:
    made = behind(tree, each.line, each.value)
    return ComparisonRecord(
        place=Place(file, each.line), value=each.value, best=each.best, keeps=each.keeps, weights=each.weights,
        made_of=made.text, split=made.split,
    )


def _relative(file: str) -> str:
    path, working = Path(file), Path.cwd()
    return str(path.relative_to(working)) if path.is_relative_to(working) else file
