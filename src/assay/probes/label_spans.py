"""Label spans: which of its outputs a classifier ever has labels for, in training and evaluation, to the run's end.

The first calls are read one by one, later ones now and then, so that classes that come late are met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from assay.autograd_graph import chain
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.label_spans import LabelSpan, LabelSpans
from assay.probe import Clock, Faults, ignore, user_place
from assay.tensors import first_tensor
from assay.traffic import Inner, Made, Pass, Scored, Traffic
from assay.weak_identity import IdentityDict

LOSSES = ("cross_entropy", "nll_loss")

DENSE, EVERY = 128, 8
"""Calls that are read one by one, and later one in eight steps, so that one of each part of an epoch is met."""

SCALED = ("Div", "LogSoftmax", "Mul")

LAYERS, LINES, CLASSES = 512, 8, 1 << 12


@dataclass(eq=False)
class _Span:
    seen: Tensor
    head: Place | None
    labels: int = 0
    tokens: bool = field(default=False)


class Spans:
    """Listens to losses over classes to the end of the run."""

    name = "label spans"
    kinds: tuple[type[Fact], ...] = (LabelSpans,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._layers: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._heads: dict[int, Place | None] = {}
        self._rows, self._ids = 0, False
        self._calls = self._steps = 0
        self._look: Callable[..., None] = ignore
        self._spans: dict[Place | None, _Span] = {}

    def attach(self) -> None:
        """Listen."""
        for listeners, look in (
            (self._traffic.made, self._made), (self._traffic.inner, self._heads_in),
            (self._traffic.sampled.passed, self._passed), (self._traffic.stepped, self._stepped),
        ):
            listeners.append(self._faults.contained(self.name, look))
        self._look = self._faults.contained(self.name, self._scored)
        self._traffic.scored.append(self._look)

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """The lines whose examples have one label each."""
        spans = {place: span for place, span in self._spans.items() if span.labels and not span.tokens}
        if not spans:
            why = "no loss over classes was given one label an example"
            return FactSet(absent={LabelSpans: Absent(why, applicable=False)})
        return FactSet.of(LabelSpans(spans=tuple(
            LabelSpan(
                outputs=len(span.seen), labels=span.labels, classes=int(span.seen.sum()),
                highest=int(span.seen.nonzero().max()), place=place, head=span.head,
            ) for place, span in spans.items()
        )))

    def _made(self, made: Made) -> None:
        if isinstance(made.module, nn.Linear) and len(self._layers) < LAYERS:
            self._layers[made.module] = made.place

    def _passed(self, passed: Pass) -> None:
        first = first_tensor((*passed.arguments, *passed.named.values()))
        if passed.entry:
            self._rows, self._ids = (0, False) if first is None else (len(first), not first.is_floating_point())
        self._heads_in(passed)

    def _heads_in(self, call: Inner | Pass) -> None:
        module, output = call.module, call.output
        if isinstance(module, nn.Linear) and isinstance(output, Tensor) and output.dim() > 1:
            self._heads[output.shape[-1]] = self._layers.get(module)

    def _scored(self, scored: Scored) -> None:
        self._calls += 1
        if self._calls > DENSE and self._look in self._traffic.scored:
            self._traffic.scored.remove(self._look)
        if scored.name not in LOSSES:
            return
        scores, labels = scored.arguments["input"], scored.arguments["target"]
        if scores.dim() != 2 or labels.dim() != 1 or labels.is_floating_point() or scores.shape[1] > CLASSES:
            return
        self._read(scores, labels[labels != scored.arguments["ignore_index"]])

    def _stepped(self, _: Any) -> None:  # on every step, so it does next to nothing
        self._steps += 1
        if self._calls > DENSE and self._steps % EVERY == 0 and self._look not in self._traffic.scored:
            self._traffic.scored.append(self._look)

    def _read(self, scores: Tensor, labels: Tensor) -> None:
        place, outputs = user_place(), scores.shape[1]
        span = self._spans.get(place)
        if span is None:
            if len(self._spans) >= LINES or not _of_layer(scores):
                return
            span = self._spans[place] = _Span(torch.zeros(outputs, dtype=torch.bool), self._heads.get(outputs))
        span.tokens |= len(span.seen) != outputs or (self._clock.looks and (self._ids or len(labels) > self._rows > 0))
        if not span.tokens:
            span.seen[labels.cpu()] = True
            span.labels += len(labels)


def _of_layer(scores: Tensor) -> bool:
    """Whether a layer with a bias puts out one score a class: similarities in a batch are as many as its pairs."""
    line = chain(scores.grad_fn) if scores.grad_fn is not None else ()
    return isinstance(line, tuple) and next((name for name in line if name not in SCALED), "") == "Addmm"
