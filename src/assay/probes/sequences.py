"""Sequences: losses whose targets are sequences, beside the inputs that the model was given.

What the model was given is known from its passes and, where the loss lies within the model, from its embeddings. Of
both, small copies of ids and of where vectors are zero are kept until the next loss; of a run, numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import grad as gradients  # bound before any watch begins: ours is not to be told
from torch.autograd.graph import GradientEdge
from torch.nn.utils import rnn

from assay.autograd_graph import LAYOUT, OPAQUE, below, operation, terms, walk
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.sequences import Padding, SequenceCall, SequenceFacts
from assay.probe import Clock, Faults, Patches, user_place
from assay.sequences import Ends, Given, Pair, coded, constant_at, ends, equal_ahead, pairs
from assay.tensors import tensors_in
from assay.traffic import Backward, Inner, Pass, Scored, Traffic

LOSSES = frozenset({
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "huber_loss", "l1_loss", "mse_loss",
    "nll_loss", "smooth_l1_loss",
})
OVER_IDS = frozenset({"cross_entropy", "nll_loss"})

CALLS = 48
"""Calls that are looked at in a run."""

PER_STEP = 4

NUMBERS = 1 << 18
"""Larger targets and inputs are left alone."""

GIVEN = 8
"""Inputs that are remembered until a loss comes: a model has few of them."""

OFFSETS = (0, 1, 2)

VALID, TOKENS = 32, 3
"""Targets, and different values among them, below which equality with the inputs may be chance."""

COPIED = 0.99
"""Share of targets equal to an input from which causality is tried; masked objectives change far more than 1 %."""

NUMBER = "assay ids"
"""The key under which the graph node of an embedding bears a number for what was embedded."""

KEY = "assay sequences"
"""The key of our record in the graph node of a loss that isn't reduced."""


@dataclass(eq=False)
class Shown:
    """What the model was given since the last backward pass, and what the program fills sequences with.

    given, masks, lengths   small copies of ids or of where vectors are zero, of masks, of lengths
    fillers                 how the program says so, by the value that it fills with
    embedded                embeddings called so far
    """

    clock: Clock
    given: list[Given] = field(default_factory=list)
    masks: list[Tensor] = field(default_factory=list)
    lengths: list[Tensor] = field(default_factory=list)
    fillers: dict[float, set[str]] = field(default_factory=dict)
    embedded: int = 0

    def passed(self, passed: Pass) -> None:
        """The program called a module."""
        if not self.clock.looks or not passed.recorded:
            return
        if isinstance(passed.module, nn.Embedding):
            self._embeds(passed.module, passed.arguments, passed.output)
        self.take(tensors_in((passed.arguments, passed.named)))

    def within(self, inner: Inner) -> None:
        """A module called another."""
        if isinstance(inner.module, nn.Embedding):
            self._embeds(inner.module, inner.arguments, inner.output)
        elif "key_padding_mask" in inner.named or "src_key_padding_mask" in inner.named:
            self.take(tensors_in(inner.named))

    def padded(self, arguments: Any, named: Any) -> None:
        """pad_sequence was called."""
        value = arguments[2] if len(arguments) > 2 else named.get("padding_value", 0.0)
        self.fillers.setdefault(float(value), set()).add("pad_sequence")

    def packed(self, arguments: Any, named: Any) -> None:
        """pack_padded_sequence was called."""
        self.take(tensors_in((arguments[1:2], named.get("lengths"))))

    def take(self, tensors: Iterable[Tensor], number: int | None = None) -> None:
        """Keep small copies of what may be ids, vectors, masks or lengths."""
        for tensor in tensors:
            if tensor.numel() > NUMBERS or tensor.is_sparse or tensor.is_quantized or tensor.is_complex():
                continue
            if tensor.dim() == 1 and not tensor.is_floating_point():
                self.lengths = [*self.lengths, tensor.detach().cpu().clone()][-GIVEN:]
            if tensor.dim() == 2 and (tensor.is_floating_point() or not tensor.numel() or int(tensor.max()) <= 1):
                self.masks = [*self.masks, (tensor.detach() != 0).cpu()][-GIVEN:]
            if (codes := coded(tensor)) is not None:
                self.given = [*self.given, Given(codes.cpu(), number)][-GIVEN:]

    def forget(self) -> None:
        """What comes now belongs to the next loss."""
        self.given, self.lengths, self.masks = [], [], []

    def known(self, at: Ends) -> tuple[str, ...]:
        """How the program treats these ends as padding."""
        counts, width = at.counts, at.filled.shape[1]
        known = set(self.fillers.get(at.value, ()))
        if any(_tells(lengths, counts, width) for lengths in self.lengths):
            known.add("lengths given to the model")
        if any(_masks(mask, at.filled) for mask in self.masks):
            known.add("a mask given to the model")
        return tuple(sorted(known))

    def _embeds(self, embedding: nn.Embedding, arguments: tuple[Any, ...], output: Any) -> None:
        self.embedded += 1
        if isinstance(output, Tensor) and output.requires_grad:
            node: Any = output.grad_fn
            node.metadata[NUMBER] = self.embedded
        self.take(tensors_in(arguments), self.embedded)
        if embedding.padding_idx is not None:
            self.fillers.setdefault(float(embedding.padding_idx), set()).add("padding_idx of an embedding")


class Sequences:
    """Records losses over sequences, on the steps that the clock looks at."""

    name = "sequences"
    kinds: tuple[type[Fact], ...] = (SequenceFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._shown = Shown(clock)
        self._calls: list[SequenceCall] = []
        self._step = -1
        self._taken = 0
        self._scored = 0

    def attach(self) -> None:
        """Listen to passes, to modules within, to losses and backward passes; wrap what pads and packs sequences."""
        for listeners, look in (
            (self._traffic.sampled.passed, self._shown.passed), (self._traffic.inner, self._shown.within),
            (self._traffic.sampled.scored, self._called), (self._traffic.sampled.began, self._began),
        ):
            listeners.append(self._faults.contained(self.name, look))
        for name, shown in (("pad_sequence", self._shown.padded), ("pack_padded_sequence", self._shown.packed)):
            self._patches.replace(rnn, name, partial(_watched, self._clock, self._faults.contained(self.name, shown)))

    def detach(self) -> None:
        """Put the originals back and let go of what was copied."""
        self._patches.restore()
        self._shown.forget()

    def facts(self) -> FactSet:
        """The calls so far."""
        if not self._calls:
            why = "no loss over sequences was called" if self._scored else "no loss function of PyTorch's was called"
            return FactSet(absent={SequenceFacts: Absent(why, applicable=False)})
        return FactSet.of(SequenceFacts(calls=tuple(self._calls), schedule=self._clock.schedule))

    def _called(self, scored: Scored) -> None:
        self._scored += scored.recorded
        if not scored.recorded or not self._clock.looks or scored.name not in LOSSES or not self._has_room():
            return
        targets = scored.arguments.get("target")
        if not isinstance(targets, Tensor) or not 0 < targets.numel() <= NUMBERS or targets.requires_grad:
            return
        with torch.no_grad():
            call = self._read(scored, targets)
        if call is None:
            return
        call = replace(call, place=user_place())
        if scored.arguments.get("reduction") == "none":  # what becomes of it is seen when a backward pass begins
            scored.value.grad_fn.metadata[KEY] = call
        else:
            self._calls.append(call)

    def _has_room(self) -> bool:
        if self._step != self._clock.steps:
            self._step, self._taken = self._clock.steps, 0
        self._taken += 1
        return self._taken <= PER_STEP and len(self._calls) < CALLS

    def _read(self, scored: Scored, targets: Tensor) -> SequenceCall | None:
        values = targets.detach().cpu()
        if values.dim() == 3 and values.shape[2] == 1:
            values = values[..., 0]
        found = [pair for given in self._shown.given for pair in pairs(values, given)]
        if not found and (values.dim() != 2 or values.is_floating_point()):
            return None
        call = SequenceCall(name=scored.name, place=None, step=scored.step)
        if scored.name in OVER_IDS and not values.is_floating_point():
            call = _compared(call, found, scored)
        return _with_padding(call, found, values, scored, self._shown)

    def _began(self, backward: Backward) -> None:
        if not self._clock.looks or backward.nested:
            return
        self._shown.forget()
        root = backward.roots
        if isinstance(root, Tensor) and root.grad_fn is not None:
            self._calls += [call for term in terms(root.grad_fn) if (call := _whole(term)) is not None]


def _with_padding(call: SequenceCall, found: list[Pair], values: Tensor, scored: Scored, shown: Shown) -> SequenceCall:
    for pair in found:
        for beside in pair.beside:
            at = ends(beside)
            if at is not None and (target := _counted(pair.targets, at, scored)) is not None:
                return _filled(call, at, target, at.value, shown)
    at = ends(values) if call.name in OVER_IDS and values.dim() == 2 else None
    if at is not None and not found and (target := _counted(values, at, scored)) is not None:
        return _filled(call, at, target, None, shown)
    return call


def _filled(call: SequenceCall, at: Ends, target: float, filler: float | None, shown: Shown) -> SequenceCall:
    counts = at.counts
    padding = Padding(
        positions=int(counts.sum()), of=at.filled.numel(), rows=int((counts > 0).sum()), lengths=len(counts.unique()),
        width=at.filled.shape[1], target=target, filler=filler, known_by=shown.known(at),
    )
    return replace(call, padding=padding, full=bool((counts == 0).any()))


def _watched(clock: Clock, look: Callable[..., None], original: Any) -> Any:
    """A function whose arguments are shown."""

    @wraps(original)
    def called(*arguments: Any, **named: Any) -> Any:
        if clock.looks and not torch.compiler.is_compiling():
            look(arguments, named)
        return original(*arguments, **named)

    return called


def _compared(call: SequenceCall, found: list[Pair], scored: Scored) -> SequenceCall:
    """How far ahead of the inputs the targets lie, by the inputs that they match best."""
    for pair in found:
        equal = _equal(pair, scored)
        if equal is None or (call.equal is not None and max(equal.values()) < max(call.equal.values())):
            continue
        offset = next((ahead for ahead in (0, 2) if equal[ahead] >= COPIED > equal[1]), None)
        call = replace(call, equal=equal)
        if offset is not None and pair.number is not None:
            with torch.enable_grad():
                beyond = _hangs_on(scored.arguments["input"], pair)
            if beyond is not None:
                return replace(call, ahead=offset - beyond)
    return call


def _equal(pair: Pair, scored: Scored) -> dict[int, float] | None:
    """By offset, the share of valid targets that equal an input; None where there are too few to tell."""
    if pair.targets.dim() != 2:
        return None
    valid = pair.targets != scored.arguments.get("ignore_index", -100)
    values = pair.targets[valid]
    if len(values) < VALID or len(values.unique()) < TOKENS:
        return None
    return {ahead: equal_ahead(pair, valid, ahead) for ahead in OFFSETS}


def _counted(targets: Tensor, at: Ends, scored: Scored) -> float | None:
    """The target at the filled ends, None where it varies or where the loss leaves it out."""
    target = constant_at(targets, at.filled)
    arguments = scored.arguments
    if target is None or target == arguments.get("ignore_index"):
        return None
    weight = arguments.get("weight")
    if weight is not None and (scored.name not in OVER_IDS or not float(weight[int(target)])):
        return None
    prediction = arguments["input"]
    if scored.name not in OVER_IDS and prediction.numel() == targets.numel():
        there = prediction.detach().cpu().reshape(targets.shape)[at.filled]
        if bool((there == target).all()):  # both were masked before: nothing is counted there
            return None
    return target


def _tells(lengths: Tensor, counts: Tensor, width: int) -> bool:
    """Whether these are the sequences' lengths, of the text itself or without one token at its end."""
    if lengths.shape != counts.shape:
        return False
    beyond = lengths - (width - counts)
    return bool((beyond == 0).all() or (beyond == 1).all())


def _masks(mask: Tensor, filled: Tensor) -> bool:
    """Whether this tells the filled positions from the others, in the text itself or without one token at an end."""
    if mask.shape[0] != filled.shape[0] or mask.shape[1] - filled.shape[1] not in (0, 1):
        return False
    width = filled.shape[1]
    return any(bool((part == filled).all() or (part == ~filled).all()) for part in (mask[:, :width], mask[:, -width:]))


def _whole(node: Any) -> SequenceCall | None:
    """The call whose values a mean or sum takes as they are, with no mask between."""
    while node is not None:
        call = node.metadata.pop(KEY, None)
        if call is not None:
            return call if isinstance(call, SequenceCall) else None
        if operation(node) not in LAYOUT | {"Mean", "Sum"}:
            return None
        following = below(node)
        node = following[0] if len(following) == 1 else None
    return None


def _hangs_on(scores: Tensor, pair: Pair) -> int | None:
    """How far beyond its own position a score hangs on the embedded inputs: 0 for a causal model.

    Read off the gradient of the scores at one position, which leaves the graph as it was. None where the embedding
    isn't found below, where the graph is hidden, and where the scores hang on the last input (not causal) or on a
    single one (no sequence model).

    scores  [n * t, C] or [n, C, t]; where time comes first, [t * n, C]
    """
    position = pair.targets.shape[1] // 2
    weights = _at(scores, pair, position)
    if scores.grad_fn is None or weights is None:
        return None
    nodes = list(walk([scores.grad_fn]))
    if any(operation(node) in OPAQUE or operation(node).startswith("BackwardHook") for node in nodes):
        return None
    for node in nodes:
        if node.metadata.get(NUMBER) != pair.number:
            continue
        (moved,) = gradients(scores, [GradientEdge(node, 0)], weights, retain_graph=True, allow_unused=True)
        if moved is None or moved.dim() != 3:
            return None
        over = (1, 2) if pair.turned else (0, 2)
        reached = (moved.abs().sum(over) > 0).nonzero().flatten().tolist()
        causal = len(reached) > 1 and reached[-1] < pair.inputs.shape[1] - 1
        return int(reached[-1]) - position if causal else None
    return None


def _at(scores: Tensor, pair: Pair, position: int) -> Tensor | None:
    """Uneven weights on the scores of one position of every sequence, zero elsewhere."""
    sequences, width = pair.targets.shape
    weights = torch.zeros_like(scores, requires_grad=False)
    shape = tuple(scores.shape)
    if len(shape) == 2 and shape[0] == sequences * width and pair.turned:
        there = weights.view(width, sequences, -1)[position]
    elif len(shape) == 2 and shape[0] == sequences * width:
        there = weights.view(sequences, width, -1)[:, position]
    elif len(shape) == 3 and shape[0] == sequences and shape[2] == width:
        there = weights[:, :, position]
    else:
        return None
    there += torch.linspace(1, 2, there.shape[-1], dtype=weights.dtype, device=weights.device)
    return weights
