"""Facts about the loss: what it was given, what the autograd graph says about how its input was made."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule, Unknown

Shape = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Broadcast:
    """Two operands of an elementwise operation, directly below the loss, that met in a larger shape.

    `target` is None where the other operand is a constant whose shape the graph doesn't keep.
    """

    prediction: Shape
    target: Shape | None
    result: Shape


@dataclass(frozen=True, kw_only=True)
class LossCall:
    """One call of a loss function at a sampled step, or (`name` is "backward") one handwritten loss.

    name            torch.nn.functional's name, "backward" for a loss seen only through its graph
    step            optimizer steps taken before it, from 0
    value           the loss, in nats for the likelihoods
    chain           operations of the autograd graph from the loss towards the parameters, without the suffix
                    "Backward0", as far as they form a single line: ("NllLoss", "LogSoftmax", "Softmax", "Addmm");
                    operations that only lay values out anew (View, Transpose, Squeeze) are left out
    classes         C for losses over classes, else None
    input_range     smallest and largest entry of the loss's input
    row_sums        smallest and largest sum over the class axis, None without such an axis
    target_range    smallest and largest valid target (ignore_index left out)
    target_variance variance of the targets of this batch, None unless they are numbers
    label_entropy   entropy of the valid labels of this batch in nats, None unless targets are class ids
    weighted        class weights, sample weights, label smoothing or another reduction than the mean are in force,
                    so that the first loss has no simple expectation
    """

    name: str
    place: Place | None
    step: int
    value: float
    chain: tuple[str, ...] | Unknown
    input_shape: Shape | None = None
    target_shape: Shape | None = None
    target_kind: str | None = None
    classes: int | None = None
    input_range: tuple[float, float] | None = None
    row_sums: tuple[float, float] | None = None
    target_range: tuple[float, float] | None = None
    label_entropy: float | None = None
    target_variance: float | None = None
    broadcast: Broadcast | None = None
    reduction: str = "mean"
    weighted: bool = False


@dataclass(frozen=True, kw_only=True)
class LossFacts(Fact):
    """The sampled calls of losses that led to a backward pass, in order.

    backwards       backward passes that the program began
    values          those of them whose loss was checked for being finite (on accelerators the sampled ones alone,
                    since reading a value there makes the program wait)
    not_finite      those of them that weren't, and `first_not_finite` the first
    """

    calls: tuple[LossCall, ...]
    schedule: Schedule
    backwards: int = 0
    values: int = 0
    not_finite: int = 0
    first_not_finite: LossCall | None = None
