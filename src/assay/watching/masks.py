"""Which keys the masks of a model's attention leave, seen in one run of a copy.

Padding is what the model's own inputs end, or begin, with in some rows and in unequal numbers: an id that stands
nowhere else, or vectors of zeros. A mask is read by the convention of the function that it is given to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from assay.facts.attention import AttentionFacts, MaskedAttention, MaskFault
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.probe import Faults, user_place
from assay.tensors import tensors_in
from assay.traffic import Pass, Traffic
from assay.watching.copies import copied, unnoticed
from assay.weak_identity import IdentityDict

MODELS = 8
PASSES = 4
"""Passes of each model that are looked at, beginning with its second."""

LARGEST = 1 << 18
"""Numbers in the inputs of a pass that is tried."""

MASKED = -9e3
"""Masks put in, or add, -inf, the smallest number of a dtype, -1e9 or -1e4; what they leave lies above a tenth of that,
or scores that low are the model's own."""

HIDDEN = -1.0
"""A score that is put in place of others and isn't below this hides nothing: the sign slipped, or a product was meant
to hide."""

SHORTEST = 3
"""Steps of a sequence: of two, a triangle without its diagonal is a single pair."""

OWN_KEYS = 4
"""Keys that a model puts before or behind those of its input: one for the whole sequence, a few that are learned."""

SOFTMAX = (torch.softmax, Tensor.softmax, functional.softmax)
FILLS = (Tensor.masked_fill, Tensor.masked_fill_, torch.masked_fill)


class Masks:
    """Tries models that are given sequences."""

    name = "masks"
    kinds: tuple[type[Fact], ...] = (AttentionFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._look = faults.contained(self.name, self._passed)
        self._counts: IdentityDict[nn.Module, int] = IdentityDict()
        self._models = 0
        self._calls: list[MaskedAttention] = []
        self._why: str | None = None

    def attach(self) -> None:
        """Listen to passes on sampled steps."""
        self._traffic.sampled.passed.append(self._look)

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """The masked calls of attention."""
        if not self._calls:
            why = self._why or "no attention with a mask was seen in a model of sequences"
            return FactSet(absent={AttentionFacts: Absent(why, applicable=self._why is not None)})
        return FactSet.of(AttentionFacts(calls=tuple(self._calls)))

    def _passed(self, passed: Pass) -> None:
        count = self._counts.get(passed.module, 0)
        self._models += not count
        if not passed.recorded or count > PASSES or self._models > MODELS:
            return
        self._counts[passed.module] = count + 1
        given = [each for each in tensors_in((passed.arguments, passed.named)) if each.dim() > 1]
        if not count or not given or sum(each.numel() for each in given) > LARGEST:
            return
        real = [found for each in given if (found := padding(each)) is not None]
        if not real and (count > 1 or not any(each.dim() == (3 if each.is_floating_point() else 2) for each in given)):
            return
        with unnoticed(self._traffic):
            copy = copied(passed.module)
            if isinstance(copy, Absent):
                self._why = copy.why
            else:
                attending = Attending(type(copy).__name__, real)
                try:
                    with attending:  # in training mode, since fused layers show nothing of their masks
                        copy.train(passed.training)(*passed.arguments, **passed.named)
                except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
                    self._why = f"the model can't be tried: {type(fault).__name__}: {fault}"
                    return
                self._calls += attending.calls
                if attending.calls and real:
                    self._counts[passed.module] = PASSES + 1


def padding(given: Tensor) -> Tensor | None:
    """Which positions hold values and which padding, [n, steps] of truth values; None where nothing looks like it."""
    if given.dtype is torch.bool or given.is_floating_point() != (given.dim() == 3) or given.dim() > 3:
        return None
    values = given.detach()
    marks = [~values.any(-1)] if given.dim() == 3 else list(_marks(values))
    return next((~mark for mark in marks if _pads(mark)), None)


def _marks(ids: Tensor) -> Iterator[Tensor]:
    """Where the id stands that ends most rows twice, and where the one that begins them so."""
    for outer, inner in ((-1, -2), (0, 1)) if ids.shape[1] > 1 else ():
        twice = ids[:, outer][ids[:, outer] == ids[:, inner]]
        if len(twice):
            yield ids == twice.mode().values


def _pads(mark: Tensor) -> bool:
    """Whether a mark ends all rows that have it (or begins them), some more than once, and no row is nothing else."""
    counts = mark.sum(1)
    if int(counts.max()) < 2 or bool((counts == mark.shape[1]).any()) or len(counts.unique()) < 2:
        return False
    steps = torch.arange(mark.shape[1], device=mark.device)
    at_end = mark == (steps >= mark.shape[1] - counts[:, None])
    at_start = mark == (steps < counts[:, None])
    return bool(at_end.all() or at_start.all())


@dataclass
class Attending(TorchFunctionMode):
    """Runs a model's operations and reads the masks of attention.

    real    where its inputs hold values, [n, steps] each
    """

    model: str
    real: list[Tensor]
    calls: list[MaskedAttention] = field(default_factory=list)
    filled: tuple[Tensor, Tensor] | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation."""
        named = kwargs or {}
        result = func(*args, **named)
        if func in READERS:
            for left, added in READERS[func](args, named):
                self._judge(func.__name__, left, _fault(left, added, self.real))
        if func in SOFTMAX and args and args[0].dim() > 2:
            self._judge_filled(func.__name__, args[0])
        elif func in FILLS and len(args) > 2 and not isinstance(args[2], Tensor) and args[2] >= HIDDEN:
            self.filled = result, args[1].expand_as(result)
        return result

    def _judge_filled(self, function: str, scores: Tensor) -> None:
        """Whether scores were put in place of those to be hidden, and hide nothing."""
        filled = ~self.filled[1] if self.filled is not None and self.filled[0] is scores else None
        for_padding = filled is not None and any(_left_alone(filled, values) for values in self.real)
        last = scores[..., :1, -1:]  # of the first query, which comes before all other keys
        if for_padding or (bool((last >= HIDDEN).all()) and _lower(scores != last)):
            self._judge(function, torch.ones_like(scores, dtype=torch.bool), "score for hidden")

    def _judge(self, function: str, left: Tensor, fault: MaskFault | None) -> None:
        real = next((each for each in self.real if 0 <= left.shape[-1] - each.shape[1] <= OWN_KEYS), None)
        self.calls.append(MaskedAttention(
            model=self.model, function=function, place=user_place(), keys=left.shape[-1],
            padded=0.0 if real is None else 1 - float(real.float().mean()), fault=fault,
        ))


def _fault(left: Tensor, added: Tensor | None, real: list[Tensor]) -> MaskFault | None:
    """What is wrong with a mask.

    left    the keys that it leaves, [..., keys] of truth values
    added   what it adds to the scores, where that isn't a choice
    """
    if added is not None:
        ones = added == 1
        stands_for = _lower(ones) or _lower(~ones) or any(
            _left_alone(ones, values) or _left_alone(~ones, values) for values in real
        )
        return "adds one" if bool((ones | (added == 0)).all()) and stands_for else None
    if not bool(left.any()):
        return "nothing"
    if left.dim() > 1 and _lower(~left):
        return "future alone"
    return "padding alone" if any(_left_alone(left, ~values) for values in real) else None


def _lower(mask: Tensor) -> bool:
    """Whether it is the lower triangle with the diagonal, [..., steps, steps]: each position and those before."""
    steps = mask.shape[-1]
    if mask.dim() < 2 or mask.shape[-2] != steps or steps < SHORTEST:
        return False
    triangle = torch.ones(steps, steps, dtype=torch.bool, device=mask.device).tril()
    return bool((mask == triangle).all())


def _left_alone(left: Tensor, wanted: Tensor) -> bool:
    """Whether the keys that some query of a row is left are exactly these, [n, keys].

    A model's own keys may stand before or behind them, such as one that stands for the whole sequence.
    """
    rows, keys = wanted.shape
    if left.dim() < 2 or not keys <= left.shape[-1] <= keys + OWN_KEYS or left.shape[0] % rows:
        return False
    some = left.reshape(rows, -1, left.shape[-1]).any(1)
    return any(torch.equal(part, wanted) for part in (some[:, :keys], some[:, -keys:]))


Reading = Iterator[tuple[Tensor, Tensor | None]]


def _choice(mask: Any, *, truth_ignores: bool) -> Reading:
    if isinstance(mask, Tensor) and mask.dtype is torch.bool:
        yield (~mask if truth_ignores else mask), None
    elif isinstance(mask, Tensor):
        left = mask > MASKED
        yield left, mask if bool(left.all()) and not mask.requires_grad else None


def _of_product(args: tuple[Any, ...], named: dict[str, Any]) -> Reading:
    """scaled_dot_product_attention: truth means to attend."""
    yield from _choice(args[3] if len(args) > 3 else named.get("attn_mask"), truth_ignores=False)


def _of_heads(_: tuple[Any, ...], named: dict[str, Any]) -> Reading:
    """multi_head_attention_forward: truth means to ignore."""
    for mask in (named.get("key_padding_mask"), named.get("attn_mask")):
        yield from _choice(mask, truth_ignores=True)


def _of_softmax(args: tuple[Any, ...], named: dict[str, Any]) -> Reading:
    """A softmax over scores, [..., queries, keys], of which some were masked."""
    scores = args[0] if args else named["input"]
    axis = args[1] if len(args) > 1 else named.get("dim")
    if scores.dim() > 2 and axis in (-1, scores.dim() - 1):
        left = scores > MASKED
        if bool(left.any()) and not bool(left.all()) and bool((scores[left] > MASKED / 10).all()):
            yield left, None


READERS: dict[Any, Callable[[tuple[Any, ...], dict[str, Any]], Reading]] = {
    functional.scaled_dot_product_attention: _of_product, functional.multi_head_attention_forward: _of_heads,
    **dict.fromkeys(SOFTMAX, _of_softmax),
}
