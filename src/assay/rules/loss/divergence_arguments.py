"""kl_div is given something other than log-probabilities and a distribution.

## Why it hurts
kl_div(input, target) takes the *logarithm* of the model's probabilities first and the target's probabilities second.
With probabilities in the first place, a target of logarithms, or the two swapped, it still gives a number, which falls
for a while and is no divergence: it may be negative, and its minimum lies elsewhere.

## What is looked at
The values given at every sampled call. The input: rows within [0, 1] that sum to 1 are probabilities; rows whose
exponentials sum to 1 are log-probabilities; scores that reach above 0, sum to neither, and come from no logarithm are
raw. The target: an entry below 0 is no probability, an entry above 0 no log-probability (`log_target=True`). Sums may
be off by 1e-3, a thousand roundings of single precision.

## Remedy
`kl_div(log_softmax(scores, -1), target_probabilities, reduction="batchmean")`.

## When it is wrong to worry
Divergences of single entries (a sparsity penalty) sum to nothing in particular and stay silent where they come from a
logarithm. The mean over elements, which divides by the number of classes too, is a note: a weight may make up for it.

## References
PyTorch documentation, torch.nn.KLDivLoss: arguments, log_target, and why "mean" isn't the divergence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.facts.loss import LossCall, LossFacts
from assay.rule import ERROR, NOTE, Finding, NotApplicable, Verdict, Where, rule

ROUNDING = 1e-3
FAR = 0.1


@rule(severity=ERROR)
def divergence_arguments(losses: LossFacts) -> Iterator[Verdict]:
    """Tell by their values what was given as input and as target."""
    by_place: dict[object, list[LossCall]] = defaultdict(list)
    for call in losses.calls:
        if call.name == "kl_div":
            by_place[call.place].append(call)
    if not by_place:
        yield NotApplicable("kl_div reached no backward pass")
    for calls in by_place.values():
        wrong = [_wrong_input(call) or _wrong_target(call) for call in calls]
        if all(wrong) and wrong[0]:
            yield _mistaken(calls[0], *wrong[0])
        elif calls[0].reduction == "mean" and len(calls[0].input_shape or ()) > 1 and not any(wrong):
            yield _averaged(calls[0])


def _wrong_input(call: LossCall) -> tuple[str, str] | None:
    """What the input is instead of log-probabilities, and the remedy."""
    if call.input_range is None or call.input_range[1] <= ROUNDING:
        return None
    low, high = call.input_range
    if low >= 0 and high <= 1 + ROUNDING and call.row_sums and _near(call.row_sums, 1):
        return "probabilities where it takes their logarithms", "pass log_softmax of the scores as the input"
    if call.log_sums and not call.logged and min(map(abs, call.log_sums)) > FAR:
        return "raw scores where it takes log-probabilities", "pass log_softmax of the scores as the input"
    return None


def _wrong_target(call: LossCall) -> tuple[str, str] | None:
    """What the target is instead of what log_target says, and the remedy."""
    if call.target_range is None:
        return None
    low, high = call.target_range
    if call.log_target:
        if high > ROUNDING:
            return "a target above 0 as log-probabilities", "leave log_target out, or pass the target's logarithm"
    elif low < -ROUNDING:
        kind = "log-probabilities" if high <= ROUNDING else "raw scores"
        return f"{kind} as the target where it takes probabilities", (
            "pass log_target=True" if high <= ROUNDING else "pass softmax of the target's scores")
    return None


def _near(ends: tuple[float, float], to: float) -> bool:
    return all(abs(end - to) <= ROUNDING for end in ends)


def _mistaken(call: LossCall, given: str, fix: str) -> Finding:
    return Finding(
        summary=f"kl_div is given {given}",
        where=Where(place=call.place, step=call.step),
        evidence={"input_range": call.input_range, "row_sums": call.row_sums, "log_sums": call.log_sums,
                  "target_range": call.target_range, "log_target": call.log_target, "loss": call.value},
        impact="what it gives is no divergence, and has its minimum elsewhere",
        fix=fix,
    )


def _averaged(call: LossCall) -> Finding:
    return Finding(
        summary="kl_div is averaged over elements, so that it is the divergence divided by the number of classes",
        severity=NOTE, where=Where(place=call.place, step=call.step),
        evidence={"reduction": call.reduction, "input_shape": call.input_shape},
        fix='pass reduction="batchmean"',
    )
