"""Labels of a graph's nodes: ids below zero in a loss written by hand, and features that repeat the labels.

`scores[rows, ids]` takes the last class for an id of -1. Whether such scores count is seen from the gradient that comes
back to them: a loss that leaves unlabelled nodes out gives them none.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.graph import LabelCopy, NodeLabelFacts, UnlabelledPick
from assay.graph_book import GraphBook
from assay.probe import Clock, Faults, user_place

PICKS = 16
"""Choices of scores by class that are looked at."""

MANY = 1_000_000
"""Entries of a feature matrix, times the classes, up to which features are compared with labels: a few milliseconds."""


class NodeLabels:
    """Records unlabelled nodes in a loss, and features that hold the labels."""

    name = "node labels"
    kinds: tuple[type[Fact], ...] = (NodeLabelFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: GraphBook) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._picks = 0
        self._unlabelled: UnlabelledPick | None = None
        self._compared = False
        self._copy: LabelCopy | None = None
        self._labels: tuple[weakref.ref[Tensor], weakref.ref[Any], Place | None] | None = None

    def attach(self) -> None:
        """Wait for a graph."""
        contained = self._faults.contained
        self._book.found.append(
            lambda: self._book.chose.append(contained(self.name, self._chose)),
        )

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._labels = None

    def facts(self) -> FactSet:
        """What was seen."""
        if not self._picks and not self._compared:
            return FactSet(absent={NodeLabelFacts: Absent("no labels of a graph's nodes were met", applicable=False)})
        return FactSet.of(NodeLabelFacts(
            picks=self._picks, unlabelled=self._unlabelled, compared=self._compared, copy=self._copy,
        ))

    def _chose(self, tensor: Tensor, index: Any, result: Tensor) -> None:
        if index.__class__ is tuple:
            if index[0].__class__ is not slice:  # which takes whole columns
                self._picked(tensor, index[1], result)
        elif not self._compared and index.__class__ is Tensor and _are_labels(tensor):
            self._labels = weakref.ref(tensor), weakref.ref(index), user_place()
        elif not self._compared and self._labels is not None and result.grad_fn is not None:
            self._compare(index)

    def _picked(self, scores: Tensor, ids: Tensor, result: Tensor) -> None:
        if self._picks >= PICKS or not self._clock.looks or scores.dim() != 2 or ids.is_floating_point():
            return
        if ids.dim() != 1 or ids.dtype == torch.bool or result.grad_fn is None or not result.numel():
            return
        self._picks += 1
        below = (ids < 0).detach()
        if bool(below.any()):
            look = self._faults.contained(self.name, self._came_back)
            result.grad_fn.register_prehook(_seeing(look, below, user_place(), self._clock.steps))

    def _came_back(self, gradients: Any, below: Tensor, place: Place | None, step: int) -> None:
        gradient = gradients[0]
        if self._unlabelled is not None or gradient is None or gradient.shape != below.shape:
            return
        counted = int((below & (gradient != 0)).sum())
        if counted:
            self._unlabelled = UnlabelledPick(place=place, picked=len(below), unlabelled=counted, step=step)

    def _compare(self, index: Any) -> None:
        """Compare the features with the labels of all nodes but those that both labels and scores are chosen by."""
        labels, by, place = self._labels or (None, None, None)
        features = self._book.features() if self._book.features is not None else None
        ids, chosen = labels() if labels else None, by() if by else None
        if ids is None or chosen is not index or not isinstance(features, Tensor) or len(features) != len(ids):
            return
        self._compared = True
        with torch.no_grad():
            others = ids >= 0
            others[chosen] = False
            columns, classes = _copied(features.detach()[others], ids[others])
            if columns:
                self._copy = LabelCopy(place=place, columns=columns, classes=classes, nodes=int(others.sum()))


def _seeing(look: Callable[..., None], *known: Any) -> Callable[[Any], None]:
    def saw(gradients: Any) -> None:
        look(gradients, *known)

    return saw


def _are_labels(tensor: Tensor) -> bool:
    return tensor.dim() == 1 and tensor.dtype == torch.int64 and not tensor.requires_grad


def _copied(features: Tensor, ids: Tensor) -> tuple[tuple[int, ...], int]:
    """Columns that tell the label of every one of these nodes, and the number of classes; none where they don't.

    Either a column that is the class's number, or for every class one that is positive for its nodes alone.
    """
    classes = ids.unique()
    if features.dim() != 2 or len(classes) < 2 or features.numel() * len(classes) > MANY:
        return (), len(classes)
    same = (features == ids[:, None].to(features.dtype)).all(0).nonzero().flatten().tolist()
    if same:
        return tuple(same[:1]), len(classes)
    positive = features > 0
    found: list[int] = []
    for each in classes:
        columns = (positive == (ids == each)[:, None]).all(0).nonzero().flatten().tolist()
        if not columns:
            return (), len(classes)
        found.append(columns[0])
    return tuple(found), len(classes)
