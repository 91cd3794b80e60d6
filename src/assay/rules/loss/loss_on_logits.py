"""Raw scores for a loss that takes probabilities or log-probabilities.

## Why it hurts
nll_loss only picks the entry of the true class and turns its sign. Given raw scores it has no lower end: it is
minimised by making scores grow for ever, no class pays for the scores of the others, and the values mean nothing.
ctc_loss likewise adds up what it takes for probabilities. A binary cross entropy on scores that were cut to [0, 1] has
no gradient outside.

## What is looked at
For nll_loss and ctc_loss two signs that must come together at every sampled call: the logarithm of the sum of a row's
exponentials, which is 0 for log-probabilities, is further from it than 0.1, and the graph below the loss takes no
logarithm anywhere and ends in scores that reach above 0, as no log-probability does. For binary_cross_entropy a clamp
directly over a linear layer.

## Remedy
Use cross_entropy, or pass log_softmax(scores); use binary_cross_entropy_with_logits.

## When it is wrong to worry
Log-probabilities that are weighted afterwards (policy gradients) and log-densities are no scores: they come from a
logarithm, or never reach above 0, and stay silent. What a compiled region hides is judged by neither.

## References
PyTorch documentation, torch.nn.NLLLoss: the input is expected to contain log-probabilities of each class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.facts.loss import LossCall, LossFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule

TAKES_LOGARITHMS = ("nll_loss", "ctc_loss")
FAR = 0.1
"""From 0, where log-probabilities lie to a rounding of 1e-6; a tenth is a sum of 1.1 or 0.9."""

LINEAR = frozenset({"Addmm", "Mm", "Bmm", "Baddbmm", "Convolution", "MkldnnLinear", "Linear"})


@rule(severity=ERROR)
def loss_on_logits(losses: LossFacts) -> Iterator[Verdict]:
    """Look at what the losses that take (log-)probabilities are given."""
    by_place: dict[object, list[LossCall]] = defaultdict(list)
    for call in losses.calls:
        if call.name in (*TAKES_LOGARITHMS, "binary_cross_entropy"):
            by_place[call.name, call.place].append(call)
    if not by_place:
        yield NotApplicable("no loss that takes probabilities or log-probabilities reached a backward pass")
    for calls in by_place.values():
        if all(map(_raw, calls)):
            yield _scores(calls[0])
        elif all(map(_cut, calls)):
            yield _cut_scores(calls[0])


def _raw(call: LossCall) -> bool:
    if call.name not in TAKES_LOGARITHMS or call.logged or call.log_sums is None or call.input_range is None:
        return False
    softmax = isinstance(call.chain, tuple) and call.chain[1:2] in (("Softmax",), ("Shares",))
    low, high = call.log_sums
    return not softmax and min(abs(low), abs(high)) > FAR and call.input_range[1] > 0


def _cut(call: LossCall) -> bool:
    return isinstance(call.chain, tuple) and call.chain[0] == "BinaryCrossEntropy" and (
        call.chain[1:2] in (("Clamp",), ("ClampMin",), ("Hardtanh",)) and call.chain[2:3] != ()
        and call.chain[2] in LINEAR
    )


def _scores(call: LossCall) -> Finding:
    remedy = "pass log_softmax of the scores" + (", or use cross_entropy" if call.name == "nll_loss" else "")
    return Finding(
        summary=f"{call.name} is given raw scores where it takes log-probabilities",
        where=Where(place=call.place, step=call.step),
        evidence={"chain": list(call.chain) if isinstance(call.chain, tuple) else [],
                  "log_sums": call.log_sums, "input_range": call.input_range, "loss": call.value},
        impact="the loss has no lower end: it falls as long as the scores grow",
        fix=remedy,
    )


def _cut_scores(call: LossCall) -> Finding:
    return Finding(
        summary=f"{call.name} is given raw scores, cut to lie between 0 and 1",
        where=Where(place=call.place, step=call.step),
        evidence={"chain": list(call.chain) if isinstance(call.chain, tuple) else [],
                  "input_range": call.input_range},
        impact="a score outside has no gradient, so it stays there",
        fix="use binary_cross_entropy_with_logits on the scores before the clamp",
    )
