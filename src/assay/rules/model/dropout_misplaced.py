"""Dropout is never switched off, stands on the output, or leaves next to nothing.

## Why it hurts
Functional dropout that doesn't follow the model's mode goes on in evaluation: scores are worse than the model is and
differ from pass to pass. On the scores that a loss is given, dropout sets the right answer to zero, at random. With a
probability near 1, often a probability to *keep* taken for one to drop, hardly anything gets through.

## What is looked at
Calls of dropout while the model is in evaluation mode that no module in training mode makes: no threshold enters. The
same examples passed three times or more between two steps without being scored are taken for Monte-Carlo dropout.
Dropout whose result, as it is, is a loss's input. Probabilities of 0.9 and more in training: Srivastava et al. found
the error flat where 20 to 60 % of the hidden units are dropped, and rising beyond.

## Remedy
`F.dropout(x, p, training=self.training)`, or nn.Dropout made in `__init__`. Put dropout before the last layer, not
behind it. PyTorch's `p` is the probability of dropping.

## When it is wrong to worry
Monte-Carlo dropout: set the nn.Dropout modules alone to training mode, or pass the same examples several times and
average.

## References
PyTorch documentation, torch.nn.functional.dropout: `training` is True by default. Srivastava et al., "Dropout: a
simple way to prevent neural networks from overfitting", JMLR 2014, figure 9.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import EvaluateTwice
from assay.facts.modes import DropoutCall, DropoutFacts
from assay.rule import ERROR, WARNING, Evidence, Finding, Verdict, Where, rule

NEARLY_ALL = 0.9


@rule(severity=ERROR)
def dropout_misplaced(dropouts: DropoutFacts, twice: EvaluateTwice | None) -> Iterator[Verdict]:
    """Look at the lines that call dropout, by what is wrong with them."""
    for call in () if dropouts.sampled else dropouts.never_off:
        yield Finding(
            summary=f"{call.function} stays on in evaluation mode",
            where=Where(place=call.place), evidence=_evidence(call),
            impact=_impact(call, twice),
            fix="pass training=self.training, or make an nn.Dropout in __init__ and call that",
        )
    outputs = {call.place for call in dropouts.on_outputs}
    for call in dropouts.on_outputs:
        yield Finding(
            summary=f"{call.function} stands between the model's output and the loss", severity=WARNING,
            where=Where(place=call.place), evidence=_evidence(call),
            impact=f"{call.probability:.0%} of the scores that the loss is given are set to zero at random",
            fix="put dropout before the last layer",
        )
    for call in dropouts.seen:
        if call.probability >= NEARLY_ALL and call.place not in outputs:
            yield Finding(
                summary=f"{call.function} drops {call.probability:.0%} of the values", severity=WARNING,
                where=Where(place=call.place), evidence=_evidence(call),
                impact="hardly anything gets through in training",
                fix="give p as the probability of dropping, not of keeping: "
                    f"p={1 - call.probability:.2g} keeps {call.probability:.0%}",
            )


def _impact(call: DropoutCall, twice: EvaluateTwice | None) -> str:
    """By how much two evaluations of one batch differ, where that was tried."""
    words = "evaluations are random, and worse than the model is"
    if twice is None or not twice.spread or twice.operation != call.function:
        return words
    return f"{words}: two of one batch differ by up to {twice.largest_difference / twice.spread:.2g} of the spread"


def _evidence(call: DropoutCall) -> Evidence:
    return {"function": call.function, "probability": call.probability, "calls_seen": call.calls,
            "training_stated": call.stated}
