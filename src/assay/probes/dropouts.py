"""Dropout: where it is on although the model is in evaluation mode, and where it stands right before the loss.

nn.Dropout calls torch.nn.functional too, so that all but those built into recurrent and attention layers are seen.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections import Counter
from dataclasses import replace
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from assay.at_hand import names_in
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import DropoutCall, DropoutFacts
from assay.probe import Clock, Faults, Patches, is_library, user_place
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic

FUNCTIONS = ("alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout")

LOOKS = 256
"""Calls in evaluation mode, and calls in training, that are looked at."""

PASSES = 64
"""Passes with dropout on in evaluation mode whose inputs are compared."""

SAMPLES = 3
"""Unscored passes of the same examples between two steps that make it sampling: two may be a look at the spread."""

OURS = str(Path(__file__).parents[1])

Line = tuple[Place | None, str]


class Dropouts:
    """Records the lines that call dropout."""

    name = "dropouts"
    kinds: tuple[type[Fact], ...] = (DropoutFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._lines: dict[str, dict[Line, DropoutCall]] = {"never_off": {}, "on_outputs": {}, "seen": {}}
        self._looks = {"never_off": LOOKS, "seen": LOOKS}
        self._last: tuple[weakref.ref[Tensor], DropoutCall] | None = None
        self._unscored: Counter[tuple[int, float]] = Counter()
        self._latest: tuple[int, tuple[int, float]] | None = None

    def attach(self) -> None:
        """Wrap the functions; listen to passes and losses."""
        look = self._faults.contained(self.name, self._called)
        for function in FUNCTIONS:
            self._patches.replace(functional, function, partial(_watched, self._traffic, self._clock, look))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.scored.append(self._faults.contained(self.name, self._scored))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()
        self._last = None

    def facts(self) -> FactSet:
        """The lines that were seen."""
        if not self._traffic.drops:
            return FactSet(absent={DropoutFacts: Absent("no dropout was called within a module", applicable=False)})
        sampled = max(self._unscored.values(), default=0) >= SAMPLES
        return FactSet.of(DropoutFacts(
            sampled=sampled, **{part: tuple(lines.values()) for part, lines in self._lines.items()},
        ))

    def _called(self, original: Any, positional: Any, keywords: Any, result: Any) -> None:
        root = self._traffic.running
        part = "seen" if root.training else "never_off"
        if not self._looks[part] or not isinstance(result, Tensor):
            return
        self._looks[part] -= 1
        if not root.training and _asked_for(root):
            return
        call = DropoutCall(
            function=original.__name__, place=user_place(), probability=_probability(positional, keywords),
            stated=len(positional) > 2 or "training" in keywords, calls=1,
        )
        self._count(part, call)
        if root.training:
            self._last = weakref.ref(result), call

    def _count(self, part: str, call: DropoutCall) -> None:
        known = self._lines[part].get((call.place, call.function))
        self._lines[part][call.place, call.function] = replace(call, calls=1 + (known.calls if known else 0))

    def _passed(self, passed: Pass) -> None:
        if passed.training:
            return
        given = first_tensor((passed.arguments, passed.named))
        if not passed.drops or given is None or len(self._unscored) >= PASSES:
            return
        key = passed.step, float(given.detach().double().sum())
        self._latest = passed.number, key
        self._unscored[key] += 1

    def _scored(self, scored: Scored) -> None:
        if self._latest is not None and scored.latest == self._latest[0]:
            self._unscored[self._latest[1]] -= 1
            self._latest = None
        if self._last is not None and self._clock.looks and scored.recorded:
            result, call = self._last
            if scored.arguments["input"] is result():
                self._count("on_outputs", call)


def _watched(traffic: Traffic, clock: Clock, look: Any, original: Any) -> Any:
    is_compiling = torch.compiler.is_compiling

    def dropout(*arguments: Any, **named: Any) -> Any:
        if is_compiling():  # a constant to the compiler: it traces the original and none of this
            return original(*arguments, **named)
        result = original(*arguments, **named)
        root = traffic.running
        if root is None or not (arguments[2] if len(arguments) > 2 else named.get("training", True)):
            return result
        if (arguments[1] if len(arguments) > 1 else named.get("p", 0.5)) > 0:
            traffic.drops += 1
            if clock.looks or not root.training:
                look(original, arguments, named, result)
        return result

    # TorchScript reads the wrapped source but looks names up where the function lives: it must live there too.
    watched = types.FunctionType(dropout.__code__, original.__globals__, original.__name__, None, dropout.__closure__)
    return update_wrapper(watched, original)


def _probability(positional: tuple[Any, ...], keywords: dict[str, Any]) -> float:
    return float(positional[1] if len(positional) > 1 else keywords.get("p", 0.5))


def _asked_for(root: nn.Module) -> bool:
    """Whether a part of the model that was put in training mode makes this call, or a library that isn't a module.

    A module made within forward, or kept in a list, is no part of the model: nobody can have switched it.
    """
    frame = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    owner = names_in(frame).get("self")
    if not isinstance(owner, nn.Module):
        return is_library(frame.f_code.co_filename)
    return owner.training and any(part is owner for part in root.modules())
