"""Metric states: whether torchmetrics' objects are emptied between one evaluation and the next.

Updates and computations of each object are counted by the optimizer step at which they happen. An evaluation is a row
of updates with no step between; objects that are updated while training goes on are running scores, and are left alone.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from types import FrameType
from typing import Any

from assay.announcing import when_imported
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.metric_states import MetricState, MetricStates
from assay.probe import Clock, Faults, Patches, is_library, user_place

MODULE = "torchmetrics.metric"
RUNNING = ("torchmetrics.aggregation", "torchmetrics.wrappers")
"""Means, sums and running scores, which go on by intention."""

PASSED_OVER = frozenset({"assay", "torchmetrics", "torch"})
OBJECTS = 64


@dataclass(eq=False)
class State:
    """One metric object, weakly, and the evaluation that runs.

    began, ended    steps taken at the first and the last update since the last computation
    updates         updates since then
    carries         its state holds what a computation has seen, and nobody has emptied it since
    """

    metric: weakref.ref[Any]
    kind: str
    place: Place | None = None
    began: int = -1
    ended: int = -1
    updates: int = 0
    carries: bool = False
    last: int = -1
    computed: int = 0
    carried: int = 0

    def update(self, step: int) -> None:
        """Something went in."""
        self.began = self.began if self.updates else step
        self.ended = step
        self.updates += 1

    def compute(self, step: int) -> None:
        """The score was asked for: an evaluation of several updates ends, if no step came between."""
        evaluated = self.updates > 1 and self.began == self.ended == step
        if evaluated and -1 < self.last < step:
            self.computed += 1
            self.carried += self.carries
        if self.updates:
            self.carries, self.last = evaluated, step if evaluated else -1
        self.updates = 0


class MetricStatesProbe:
    """Records how the states of metric objects go from one evaluation to the next."""

    name = "metric states"
    kinds: tuple[type[Fact], ...] = (MetricStates,)

    def __init__(self, clock: Clock, faults: Faults) -> None:
        self._clock = clock
        self._faults = faults
        self._patches = Patches()
        self._cancel: Callable[[], None] = lambda: None
        self._states: dict[int, State] = {}

    def attach(self) -> None:
        """Wrap what torchmetrics makes of each object's update and compute, and its reset."""
        self._cancel = when_imported(MODULE, self._faults.contained(self.name, self._wrap))

    def detach(self) -> None:
        """Put the originals back."""
        self._cancel()
        self._patches.restore()

    def facts(self) -> FactSet:
        """The objects that more than one evaluation computed; absent where there is none."""
        states = [state for state in self._states.values() if state.computed]
        if not states:
            why = "no object of torchmetrics was computed by the program's own code in more than one evaluation"
            return FactSet(absent={MetricStates: Absent(why, applicable=False)})
        return FactSet.of(MetricStates(metrics=tuple(
            MetricState(kind=state.kind, place=state.place, computed=state.computed, carried=state.carried)
            for state in states
        )))

    def _wrap(self) -> None:
        metric = sys.modules[MODULE].Metric
        self._patches.replace(metric, "_wrap_update", lambda original: self._telling(original, self._updated))
        self._patches.replace(metric, "_wrap_compute", lambda original: self._telling(original, self._computed))
        self._patches.replace(metric, "reset", self._resetting)

    def _telling(self, original: Any, look: Callable[[Any, FrameType], None]) -> Any:
        told = self._faults.contained(self.name, look)

        @wraps(original)
        def wrap(metric: Any, method: Any) -> Any:
            wrapped = original(metric, method)
            held = weakref.ref(metric)

            @wraps(wrapped)
            def watched(*arguments: Any, **named: Any) -> Any:
                told(held(), sys._getframe(1))  # noqa: SLF001  # the caller's frame
                return wrapped(*arguments, **named)

            return watched

        return wrap

    def _resetting(self, original: Any) -> Any:
        told = self._faults.contained(self.name, self._reset)

        @wraps(original)
        def reset(metric: Any) -> None:
            if not sys._getframe(1).f_code.co_name.startswith("_forward"):  # noqa: SLF001  # which puts it back
                told(metric)
            original(metric)

        return reset

    def _updated(self, metric: Any, _: FrameType) -> None:
        state = self._states.get(id(metric))
        if state is None or state.metric() is not metric:
            if len(self._states) >= OBJECTS or type(metric).__module__.startswith(RUNNING):
                return
            state = self._states[id(metric)] = State(weakref.ref(metric), type(metric).__name__)
        state.update(self._clock.steps)

    def _computed(self, metric: Any, caller: FrameType) -> None:
        state = self._states.get(id(metric))
        if state is not None and state.metric() is metric and _by_user(caller):
            state.place = state.place or user_place(caller)
            state.compute(self._clock.steps)

    def _reset(self, metric: Any) -> None:
        state = self._states.get(id(metric))
        if state is not None and state.metric() is metric:
            state.carries, state.updates = False, 0


def _by_user(frame: FrameType | None) -> bool:
    """Whether the user's own code asks, if by way of a collection; not Lightning, nor an object's own forward."""
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in PASSED_OVER:
        if frame.f_code.co_name.startswith("_forward"):
            return False
        frame = frame.f_back
    return frame is not None and not is_library(frame.f_code.co_filename)
