"""The examples that pass through the program's models: which of them train, and which are evaluated.

A pass trains where autograd recorded it, a backward pass followed it and then a step. It evaluates where autograd
didn't record it, or where the model, trained in training mode, stood in evaluation mode and no backward pass followed.
Examples are told apart by fingerprints of all that is given for them; passes whose tensors don't share their first axis
(graphs, conditions, states) aren't looked at.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.example_book import Chain, Evaluation, ExampleBook, Values
from assay.facts.fact import Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, place_in, user_frames
from assay.tensors import Fingerprints, tensors_in
from assay.traffic import Backward, Pass, Traffic

TRAINING_NUMBERS = 2**23  # numbers of training examples that are looked at: ten thousand pictures of 28 by 28
EVALUATION_NUMBERS = 2**23
MODELS, EVALUATIONS, DEPTH = 8, 16, 12
WAITING = 256  # recorded passes of which it isn't known yet what they are


@dataclass(eq=False)
class _Waiting:
    """A recorded pass of which isn't yet known whether it trains; copies of the examples that would be new."""

    book: ExampleBook
    chain: Chain
    fingerprints: list[int]
    positions: dict[int, int]
    values: Values | None
    step: int
    training: bool

    def copies(self, positions: list[int]) -> Values | None:
        """Of the examples at these positions; None where some weren't copied."""
        if self.values is None or not all(each in self.positions for each in positions):
            return None
        return self.values[[self.positions[each] for each in positions]]


class Examples:
    """Listens to passes, and knows the examples of each model."""

    name = "examples"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._books: weakref.WeakKeyDictionary[Any, ExampleBook] = weakref.WeakKeyDictionary()
        self._all: list[ExampleBook] = []
        self._fingerprints = Fingerprints()
        self._waiting: list[_Waiting] = []
        self._promised: list[_Waiting] = []
        self._left = {"training": TRAINING_NUMBERS, "evaluation": EVALUATION_NUMBERS}
        self._looks = (
            faults.contained(self.name, self._passed), faults.contained(self.name, self._began),
            faults.contained(self.name, self._stepped),
        )

    def attach(self) -> None:
        """Listen."""
        passed, began, stepped = self._looks
        self._traffic.passed.append(passed)
        self._traffic.began.append(began)
        self._traffic.stepped.append(stepped)

    def detach(self) -> None:
        """Listen no more."""
        passed, began, stepped = self._looks
        for listeners, look in (
            (self._traffic.passed, passed), (self._traffic.began, began), (self._traffic.stepped, stepped),
        ):
            if look in listeners:
                listeners.remove(look)
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            self._unfollowed(each)

    def facts(self) -> FactSet:
        """None by itself: what the books say is measured when the program has ended."""
        return FactSet()

    @property
    def books(self) -> tuple[ExampleBook, ...]:
        """One for each model that was given data."""
        return tuple(self._all)

    def _passed(self, passed: Pass) -> None:
        if not passed.entry:
            return
        book = self._books.get(passed.module)
        if book is None:
            if len(self._all) >= MODELS:
                return
            book = self._books[passed.module] = ExampleBook()
            self._all.append(book)
        book.passes += 1
        if passed.recorded:
            evaluates = book.in_training_mode and not passed.training
            if book.closed and not evaluates:
                return
            self._wait(book, passed)
        elif len(book.trained) or book.passes == 1:
            self._evaluated(book, passed)

    def _wait(self, book: ExampleBook, passed: Pass) -> None:
        tensors = _of_examples(passed)
        size = sum(tensor.numel() for tensor in tensors)
        if not tensors:
            return
        self._left["training"] -= size
        if self._left["training"] < 0:
            book.exhausted = True
            return
        fingerprints = self._of(tensors)
        new = book.trained.fresh(fingerprints)
        if not book.trained.shape:
            book.trained.shape, book.trained.integers = _form(tensors)
        room = new and book.trained.room(size // len(fingerprints))
        del self._waiting[:-WAITING]
        self._waiting.append(_Waiting(
            book=book, chain=_chain(), fingerprints=fingerprints,
            positions={position: number for number, position in enumerate(new)},
            values=_copies(tensors, new) if room else None, step=passed.step, training=passed.training,
        ))

    def _began(self, backward: Backward) -> None:
        if backward.nested or not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        last = waiting[-1]
        self._promised += [each for each in waiting if each.chain == last.chain and each.book is last.book]
        for each in waiting:
            if each.book.in_training_mode and not each.training and each.chain != last.chain:
                self._unfollowed(each)

    def _unfollowed(self, passed: _Waiting) -> None:
        """No backward pass came after it: it evaluates, though autograd recorded it."""
        if passed.chain not in passed.book.lines:
            self._note(passed.book, passed.chain, passed.fingerprints, passed.step, passed.copies)

    def _stepped(self, _: Any) -> None:
        promised, self._promised = self._promised, []
        for each in promised:
            each.book.lines.add(each.chain)
            each.book.in_training_mode |= each.training
            each.book.train(each.fingerprints, each.copies)

    def _evaluated(self, book: ExampleBook, passed: Pass) -> None:
        chain = _chain()
        known = book.evaluations.get(chain)
        if known is not None and known.enough and known.phases[-1].step != passed.step:
            return
        tensors = _of_examples(passed)
        self._left["evaluation"] -= sum(tensor.numel() for tensor in tensors)
        if not tensors or self._left["evaluation"] < 0:
            return
        evaluation = self._note(book, chain, self._of(tensors), passed.step, lambda new: _copies(tensors, new))
        if evaluation is not None and not evaluation.rows.shape:
            evaluation.rows.shape, evaluation.rows.integers = _form(tensors)

    def _note(
        self, book: ExampleBook, chain: Chain, fingerprints: list[int], step: int,
        copied: Callable[[list[int]], Values | None],
    ) -> Evaluation | None:
        evaluation = book.evaluations.get(chain)
        if evaluation is None:
            if len(book.evaluations) >= EVALUATIONS:
                return None
            evaluation = book.evaluations[chain] = Evaluation(place=_place(chain), said=_said(chain))
        evaluation.rows.meet(fingerprints, copied)
        book.evaluate(evaluation, fingerprints, step)
        return evaluation

    def _of(self, tensors: list[Tensor]) -> list[int]:
        """One fingerprint an example, from all of its tensors."""
        together = self._fingerprints.of(tensors[0])
        for number, tensor in enumerate(tensors[1:], 1):
            together = together * (2 * number + 1) + self._fingerprints.of(tensor)
        numbers: list[int] = together.tolist()
        return numbers


def _of_examples(passed: Pass) -> list[Tensor]:
    """What is given for each example; empty where the tensors don't share their first axis, as those of a graph."""
    tensors = [tensor for tensor in tensors_in((passed.arguments, passed.named)) if tensor.dim()]
    if not tensors or any(_is_odd(tensor) for tensor in tensors):
        return []
    rows = len(tensors[0])
    if rows == 0 or any(len(tensor) != rows for tensor in tensors):
        return []
    if len(tensors) > 1 and any(tensor.shape == (rows, rows) for tensor in tensors):
        return []
    return tensors


def _is_odd(tensor: Tensor) -> bool:
    return tensor.layout is not torch.strided or tensor.is_complex() or tensor.is_quantized or tensor.is_nested


def _form(tensors: list[Tensor]) -> tuple[tuple[int, ...], bool]:
    return tuple(tensors[0].shape[1:]), not tensors[0].is_floating_point()


def _copies(tensors: list[Tensor], positions: list[int]) -> Values:
    """The examples at these positions, all their numbers side by side, on the CPU."""
    chosen = torch.tensor(positions)
    parts = [
        tensor.detach()[chosen.to(tensor.device)].reshape(len(positions), -1).cpu().float().numpy()
        for tensor in tensors
    ]
    return np.concatenate(parts, axis=1)


def _chain() -> Chain:
    """The user's lines on the call stack."""
    frames = islice(user_frames(), DEPTH)
    return tuple((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) for frame in frames)


def _place(chain: Chain) -> Place | None:
    return place_in(*chain[0][:2]) if chain else None


def _said(chain: Chain) -> tuple[str, ...]:
    return tuple(f"{name}: {linecache.getline(file, line).strip()}" for file, line, name in chain)
