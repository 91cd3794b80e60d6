"""The examples that pass through the program's models: which of them train, and which are evaluated.

A pass trains where autograd recorded it, a backward pass followed it and then a step. It evaluates where autograd
didn't record it, or where the model, trained in training mode, stood in evaluation mode and no backward pass followed.
Examples are told apart by fingerprints of all that is given for them; passes whose tensors don't share their first axis
(graphs, conditions, states) aren't looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.example_book import Chain, ExampleBook, Values
from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, user_frames
from assay.tensors import Fingerprints, tensors_in
from assay.traffic import Backward, Pass, Traffic
from assay.weak_identity import IdentityDict

TRAINING_ROWS = 2**13  # of one model; more aren't known in full within a look's cost, nor is noise drawn anew each step
TRAINING_NUMBERS = 2**23  # numbers of training examples that are looked at: ten thousand pictures of 28 by 28
EVALUATION_NUMBERS = 2**23
MODELS, DEPTH = 8, 12
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


class _Listening:
    """Hears of passes, backward passes and steps: of all of them, or of those that the clock looks at."""

    def __init__(
        self, traffic: Traffic, passed: Callable[[Pass], None], began: Callable[[Backward], None],
        stepped: Callable[[Any], None],
    ) -> None:
        sampled = traffic.sampled
        looks: tuple[Any, ...] = (passed, began, stepped)
        every: tuple[list[Any], ...] = (traffic.passed, traffic.began, traffic.stepped)
        some: tuple[list[Any], ...] = (sampled.passed, sampled.began, sampled.stepped)
        self._every = tuple(zip(every, looks, strict=True))
        self._some = tuple(zip(some, looks, strict=True))

    def closely(self) -> None:
        """To every step: as long as the training examples aren't all known."""
        for listeners, look in self._every:
            listeners.append(look)

    def now_and_then(self) -> None:
        """All training examples are known, or too many to be: what is evaluated is still compared."""
        self.stop()
        for listeners, look in self._some:
            listeners.append(look)

    def stop(self) -> None:
        """To nothing more."""
        for listeners, look in (*self._every, *self._some):
            if look in listeners:
                listeners.remove(look)


class Examples:
    """Listens to passes, and knows the examples of each model."""

    name = "examples"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._books: IdentityDict[Any, ExampleBook] = IdentityDict()
        self._all: list[ExampleBook] = []
        self._fingerprints = Fingerprints()
        self._waiting: list[_Waiting] = []
        self._promised: list[_Waiting] = []
        self._left = {"training": TRAINING_NUMBERS, "evaluation": EVALUATION_NUMBERS}
        self._listening = _Listening(
            traffic, faults.contained(self.name, self._passed), faults.contained(self.name, self._began),
            faults.contained(self.name, self._stepped),
        )

    def attach(self) -> None:
        """Listen."""
        self._listening.closely()

    def detach(self) -> None:
        """Listen no more."""
        self._listening.stop()
        self._unfollowed(self._waiting)

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
        if not passed.recorded:
            if len(book.trained):
                self._evaluated(book, passed)
        elif not book.closed or (book.in_training_mode and not passed.training):
            self._wait(book, passed)
        elif self._waiting:  # of those before, none is followed by a backward pass of its own
            self._unfollowed(self._waiting)

    def _wait(self, book: ExampleBook, passed: Pass) -> None:
        tensors = _of_examples(passed)
        size = sum(tensor.numel() for tensor in tensors)
        self._left["training"] -= size
        book.exhausted |= self._left["training"] < 0 or len(book.trained) > TRAINING_ROWS
        if not tensors or book.exhausted:
            self._unfollowed(self._waiting)
            return
        fingerprints = _fingerprints_of(tensors, self._fingerprints)
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
        if not backward.nested and self._waiting:
            last = self._waiting[-1]
            self._promised += [each for each in self._waiting if each.chain == last.chain and each.book is last.book]
            self._unfollowed([each for each in self._waiting if each.chain != last.chain])

    def _unfollowed(self, passes: list[_Waiting]) -> None:
        """No backward pass came right after these: they evaluate, though autograd recorded them, in evaluation mode."""
        for each in passes:
            if each.book.in_training_mode and not each.training and each.chain not in each.book.lines:
                each.book.evaluate(each.chain, each.fingerprints, each.step, each.copies)
        self._waiting = []

    def _stepped(self, _: Any) -> None:
        if self._all and not self._waiting and not self._promised and all(book.closed for book in self._all):
            self._listening.now_and_then()
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
        fingerprints = _fingerprints_of(tensors, self._fingerprints)
        evaluation = book.evaluate(chain, fingerprints, passed.step, lambda new: _copies(tensors, new))
        if evaluation is not None and not evaluation.rows.shape:
            evaluation.rows.shape, evaluation.rows.integers = _form(tensors)


def _fingerprints_of(tensors: list[Tensor], fingerprints: Fingerprints) -> list[int]:
    """One an example, from all of its tensors."""
    together = fingerprints.of(tensors[0])
    for number, tensor in enumerate(tensors[1:], 1):
        together = together * (2 * number + 1) + fingerprints.of(tensor)
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
    """The user's lines on the call stack, up to the one outside of all functions: what ran that is no concern."""
    lines: list[tuple[str, int, str]] = []
    for frame in islice(user_frames(), DEPTH):
        lines.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        if frame.f_code.co_name == "<module>":
            break
    return tuple(lines)
