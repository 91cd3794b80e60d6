"""Whether a trained model uses its inputs: on a copy, all examples of a batch are replaced by one of them.

Where no output moves by a single bit, whichever example it is, nothing that the model puts out depends on what it was
given. That is asked a few steps after a model's first pass, at steps ever further apart, and whenever all rows of its
output are seen to be equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.interventions import InputUse
from assay.probe import Faults
from assay.tensors import first_tensor, tensors_in
from assay.traffic import Pass, Traffic
from assay.watching.copies import copied, mapped, unnoticed
from assay.watching.losing import Lost, where_lost
from assay.watching.mixing import Arguments
from assay.weak_identity import IdentityDict

MODELS = 16
TRIALS = 6
"""Trials of one model."""

FIRST, APART = 5, 4
"""Steps after a model's first pass, by which a head that started at zero has moved, and how many times further apart
the next trials are."""

LOOKS = 512
"""Outputs of one model whose rows are compared with each other."""


FEWEST = 4
"""Rows that a batch must have."""

LARGEST = 1 << 18
"""Numbers in the inputs of a pass that is tried."""

VARIES = 1e-2
"""Of the largest input: how far some input must differ between rows, so that single precision lets it through."""

ABSORBING = frozenset({
    "add", "addmm", "baddbmm", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "linear", "sub",
})
"""Operations in which a large constant, or weights that are zero before training, hide what depends on the inputs."""

SATURATING = frozenset({"hardsigmoid", "hardtanh", "log_softmax", "logsigmoid", "sigmoid", "softmax", "softplus",
                        "tanh"})
"""Operations whose result is rounded to its limit where the model is very sure."""

STEPWISE = frozenset({"ceil", "floor", "fmod", "heaviside", "quantize", "remainder", "round", "sign", "trunc"})
"""Operations that may make the same of different values by design."""

SCALING = frozenset({"bmm", "div", "einsum", "matmul", "mm", "mul", "scaled_dot_product_attention"})
"""Operations that let nothing through where a parameter is still zero, as gates are before training."""


@dataclass(eq=False)
class Model:
    """What is known of one model: its first pass, the next trial, and what the last one showed."""

    first: int
    versions: int
    next: int
    trials: int = TRIALS
    looks: int = LOOKS
    found: InputUse | None = None


class InputUses:
    """Tries trained models on other inputs."""

    name = "use of inputs"
    kinds: tuple[type[Fact], ...] = (InputUse,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._models: IdentityDict[nn.Module, Model] = IdentityDict()
        self._all: list[Model] = []
        self._why: str | None = None

    def attach(self) -> None:
        """Listen to passes on sampled steps and in evaluation."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """Of the models that were tried, one that doesn't use its inputs, if there is any."""
        found = sorted((each.found for each in self._all if each.found), key=lambda use: use.moves)
        if found:
            return FactSet.of(found[0])
        if not self._all:
            return FactSet(absent={InputUse: Absent("no module was called", applicable=False)})
        why = self._why or "no model was trained long enough, on rows that differ, to be tried on other inputs"
        return FactSet(absent={InputUse: Absent(why)})

    def _passed(self, passed: Pass) -> None:
        model = self._models.get(passed.module)
        if model is None:
            if len(self._all) < MODELS:
                versions = _versions(passed.module)
                model = Model(first=passed.step, versions=versions, next=passed.step + FIRST)
                self._models[passed.module] = model
                self._all.append(model)
            return
        if passed.step - model.first < FIRST or not model.trials or not (
            passed.step >= model.next or self._equal_rows(model, passed)
        ):
            return
        model.next = model.first + APART * (passed.step - model.first)
        arguments = _varied(passed)
        if arguments is None or _versions(passed.module) == model.versions:
            return
        model.trials -= 1
        model.found = self._tried(passed.module, arguments, steps=passed.step - model.first)

    def _equal_rows(self, model: Model, passed: Pass) -> bool:
        output = first_tensor([passed.output])
        if not model.looks or output is None or len(output) < FEWEST or (model.found and not model.found.moves):
            return False
        model.looks -= 1
        rows = output.detach()[:FEWEST]
        return bool((rows[1:] == rows[:1]).all())

    def _tried(self, module: nn.Module, arguments: Arguments, *, steps: int) -> InputUse | None:
        """What a trial shows, None where it can't be told."""
        with unnoticed(self._traffic):
            copy = copied(module)
            if isinstance(copy, Absent):
                self._why = copy.why
                return None
            try:
                return _use(copy, arguments, steps)
            except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
                self._why = f"the model can't be tried: {type(fault).__name__}: {fault}"
                return None


def _use(copy: nn.Module, arguments: Arguments, steps: int) -> InputUse | None:
    others = [_all_of(arguments, row) for row in (0, arguments.rows - 1)]
    before, again, *after = (_outputs(copy, each) for each in (arguments, arguments, *others))
    if not before or not _equal(before, again) or not all(each.isfinite().all() for each in before):
        return None
    use = InputUse(model=type(copy).__name__, rows=arguments.rows, steps=steps, moves=True, varies=None)
    if not all(_equal(before, each) for each in after):
        return use
    changed = max(others, key=lambda each: sum(_distance(arguments, each)))
    lost = where_lost(copy, arguments, changed)
    if lost is None or _may_be_meant(copy, lost):
        return None
    rows = before[0] if before[0].dim() and len(before[0]) == arguments.rows else None
    varies = None if rows is None else not torch.allclose(rows, rows[:1].expand_as(rows))
    return replace(use, moves=False, varies=varies, operation=lost.operation, place=lost.place)


def _may_be_meant(copy: nn.Module, lost: Lost) -> bool:
    """Whether a sound model may have lost its inputs so, for the time being."""
    if lost.chosen or (not lost.dropped and lost.operation in ABSORBING | SATURATING | STEPWISE):
        return True
    weights = (parameter for name, parameter in copy.named_parameters() if not name.endswith("bias"))
    return not lost.dropped and lost.operation in SCALING and any(not weight.any() for weight in weights)


def _versions(module: nn.Module) -> int:
    """A number that changes whenever a parameter is changed in place, as optimizers do."""
    return sum(parameter._version for parameter in module.parameters() if parameter.requires_grad)  # noqa: SLF001


def _varied(passed: Pass) -> Arguments | None:
    """The first rows of a pass whose rows differ by more than rounding may hide."""
    given = first_tensor((passed.arguments, passed.named))
    if given is None or len(given) < FEWEST or sum(each.numel() for each in tensors_in(
            (passed.arguments, passed.named))) > LARGEST:
        return None
    rows = given.detach().reshape(len(given), -1)
    if rows.is_floating_point():
        spread = float((rows - rows[:1]).abs().nan_to_num().max())
        differ = spread > VARIES * float(rows.abs().nan_to_num().max())
    else:
        differ = not torch.equal(rows, rows[:1].expand_as(rows))
    return Arguments(passed.arguments, passed.named, len(given)) if differ else None


def _all_of(arguments: Arguments, row: int) -> Arguments:
    """The same with all rows replaced by this one."""

    def change(tensor: Tensor) -> Tensor:
        alike = tensor.dim() and len(tensor) == arguments.rows
        return tensor[[row] * arguments.rows] if alike else tensor

    return Arguments(
        tuple(mapped(each, change) for each in arguments.positional),
        {key: mapped(value, change) for key, value in arguments.named.items()}, arguments.rows,
    )


def _distance(before: Arguments, after: Arguments) -> Iterator[int]:
    return (int((old != new).sum()) for old, new in zip(before.tensors(), after.tensors(), strict=True))


def _outputs(copy: nn.Module, given: Arguments) -> list[Tensor]:
    """All floating-point outputs; a model that draws samples draws the same each time."""
    torch.default_generator.manual_seed(0)  # torch.manual_seed would also seed devices that aren't in use yet
    for generator in torch.cuda.default_generators if torch.cuda.is_initialized() else ():
        generator.manual_seed(0)
    return [each.float() for each in tensors_in(copy(*given.positional, **given.named)) if each.is_floating_point()]


def _equal(first: list[Tensor], second: list[Tensor]) -> bool:
    return len(first) == len(second) and all(
        torch.equal(one, other) for one, other in zip(first, second, strict=True)
    )
