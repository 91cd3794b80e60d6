"""What layers put out shrinks, or grows, a thousandfold through the depth.

## Why it hurts
The last layers see next to nothing, or numbers without measure, and gradients on their way back shrink or grow alike:
deep nets don't train. It comes from initial weights on the wrong scale, without norms or residual branches.

## What is looked at
The standard deviations of what linear layers and convolutions put out at the first training pass, in the order of
calls, but for the output. In a model of six or more: that of the last is a thousandth, or a thousandfold, of the first,
and nearly all steps between go the same way. A thousand is what six layers of a gain of 0.3 or 3 come to.

## Remedy
Initial weights that keep the spread (`nn.init.kaiming_normal_` for ReLU, `xavier_uniform_` for tanh), norms, or
residual branches.

## When it is wrong to worry
Models with norms or residual branches don't change this way. Layers that start at zero are passed by.

## References
He et al., Delving deep into rectifiers, 2015. Glorot and Bengio, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from assay.facts.weights import ActivationFacts, Spreads
from assay.rule import WARNING, Finding, NotApplicable, Verdict, Where, rule

DEPTH = 6
FACTOR = 1e3
SAME_WAY = 0.8
"""Part of the steps from layer to layer that go the same way: a drift through the depth, and not a single odd layer."""


@rule(severity=WARNING)
def signal_scale(activations: ActivationFacts) -> Iterator[Verdict]:
    """Look for a drift through the depth."""
    deep = [each for each in activations.spreads if len(each.spreads) > DEPTH]
    if not deep:
        yield NotApplicable(f"no model has more than {DEPTH} layers")
    for each in deep:
        spreads = each.spreads[:-1]  # the last layer's is the output, whose scale is the task's
        if min(spreads) > 0 and _drifts(spreads):
            yield _drift(each, spreads)


def _drifts(spreads: tuple[float, ...]) -> bool:
    change = spreads[-1] / spreads[0]
    steps = [after > before for before, after in pairwise(spreads)]
    rising = sum(steps) / len(steps)
    return (change >= FACTOR and rising >= SAME_WAY) or (change <= 1 / FACTOR and rising <= 1 - SAME_WAY)


def _drift(model: Spreads, spreads: tuple[float, ...]) -> Finding:
    way = "grows" if spreads[-1] > spreads[0] else "shrinks"
    return Finding(
        summary=f"what the layers of {model.model} put out {way} from {spreads[0]:.2g} to {spreads[-1]:.2g} through "
                f"{len(spreads)} layers",
        where=Where(place=model.place, module=model.names[-2]),
        evidence={"layers": list(model.names[:-1]), "spreads": [float(f"{each:.3g}") for each in spreads]},
        impact="gradients change alike on their way back: the first and the last layers don't learn together",
        fix="initialise weights so that they keep the spread (kaiming_normal_, xavier_uniform_), or add norms or "
            "residual branches",
    )
