"""The loss is made as large as can be, not as small.

## Why it hurts
The optimizer follows the loss upwards: the model is trained to be wrong, the more surely the longer.

## What is looked at
What backward passes begin from, at sampled steps. It counts where all of them (three at least) begin from a
classification or regression loss of PyTorch's, negated and at most divided by a number, no other term beside it; where
the program has one optimizer, which doesn't maximise; and where that optimizer holds the model, at least half of its
trainable parameters. The same holds for a loss as it is under an optimizer that was told to maximise.

## Remedy
Leave out the minus, or `maximize=True`.

## When it is wrong to worry
Adversaries, gradient reversal, unlearning and attacks maximise a loss on purpose: beside another term, with another
optimizer, or on a model whose parameters stand still. All of these are silent, as are rewards and log-likelihoods
written by hand.

## References
PyTorch documentation, torch.optim.SGD, maximize.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_sign import LossRoot, LossSignFacts
from assay.rule import ERROR, Finding, Verdict, Where, rule

ERRORS = frozenset({
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "huber_loss", "l1_loss", "mse_loss",
    "multi_margin_loss", "nll_loss", "smooth_l1_loss",
})

PASSES = 3
HELD = 0.5


@rule(severity=ERROR)
def loss_sign(signs: LossSignFacts) -> Iterator[Verdict]:
    """Look for programs all of whose backward passes go uphill."""
    if signs.optimizers != 1 or len(signs.roots) < PASSES:
        return
    maximised = bool(signs.maximising)
    if all(_uphill(root, maximised=maximised) for root in signs.roots):
        yield _finding(signs.roots[0], [root.value for root in signs.roots], maximised=maximised)


def _uphill(root: LossRoot, *, maximised: bool) -> bool:
    held = root.trained is not None and root.trained >= HELD
    return root.name in ERRORS and root.negated != maximised and held


def _finding(root: LossRoot, values: list[float], *, maximised: bool) -> Finding:
    return Finding(
        summary=f"{root.name} is maximised: the optimizer was made with maximize=True" if maximised
        else f"{root.name} is negated before backward: the model is trained to be wrong",
        where=Where(place=root.place, step=root.step),
        evidence={"backward_begins_from": values},
        fix="leave out maximize=True" if maximised else "leave out the minus",
    )
