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
    row_sums        smallest and largest sum over the class axis, None without such an axis; for kl_div over that of
                    its axes along which they are closest to 1, as with the two below
    log_sums        of losses that take log-probabilities: the same of the logarithm of the sum of exponentials, which
                    is 0 for log-probabilities
    target_sums     the same of kl_div's target (of its exponentials with log_target)
    log_target      kl_div's
    logged          of losses that take log-probabilities: whether anything below took a logarithm, or can't be seen
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
    log_sums: tuple[float, float] | None = None
    target_sums: tuple[float, float] | None = None
    log_target: bool = False
    logged: bool = True
    target_range: tuple[float, float] | None = None
    label_entropy: float | None = None
    target_variance: float | None = None
    broadcast: Broadcast | None = None
    reduction: str = "mean"
    weighted: bool = False


@dataclass(frozen=True, kw_only=True)
class Clamped:
    """A loss that was cut at an upper bound right before its backward pass, at one sampled step.

    whole       the loss itself was cut; else its parts were, right before their mean or sum
    value       the loss that the backward pass began from
    uncut       the mean of the parts before the cut, None where they came from no loss function
    """

    place: Place | None
    step: int
    bound: float
    whole: bool
    value: float
    uncut: float | None = None


@dataclass(frozen=True, kw_only=True)
class LossFacts(Fact):
    """The sampled calls of losses that led to a backward pass, in order.

    backwards       backward passes that the program began
    values          those of them whose loss was checked for being finite (on accelerators the sampled ones alone,
                    since reading a value there makes the program wait)
    not_finite      those of them that weren't, and `first_not_finite` the first
    walked          backward passes whose graph was walked while an optimizer was there, nothing being hidden
    unreaching      those of them that led to no parameter that an optimizer holds, and `first_unreaching` the first
    made_anew       backward passes that began from a tensor made by hand, with no graph below it, and the first's place
    clamped         losses that were cut at an upper bound, of the sampled steps
    """

    calls: tuple[LossCall, ...]
    schedule: Schedule
    backwards: int = 0
    values: int = 0
    not_finite: int = 0
    first_not_finite: LossCall | None = None
    walked: int = 0
    unreaching: int = 0
    first_unreaching: Place | None = None
    made_anew: int = 0
    first_made_anew: Place | None = None
    clamped: tuple[Clamped, ...] = ()
