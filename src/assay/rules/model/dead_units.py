"""Nearly all units of a layer stay below a ReLU's zero, whatever the input.

## Why it hurts
A unit that never rises above zero puts out nothing and gets no gradient, so it stays dead. A layer of dead units cuts
off all that lies before it. It comes from a rate that is too high, or from biases that start far below zero.

## What is looked at
What linear layers, convolutions and batch norms put out just before a ReLU, at the last three sampled training steps. A
unit is dead where no row of these, 64 or more, raised it above zero. 95 % of eight units or more are a warning (the
threshold of TheDeepChecker); half of them are a note.

## Remedy
A smaller rate, biases that start at zero, inputs on the scale of 1, or a leaky ReLU or GELU.

## When it is wrong to worry
Sparse codes and gates leave many units at zero, but seldom each for all rows of several batches. Leaky activations, and
layers whose units only rarely fire, are silent.

## References
Ben Braiek and Khomh, TheDeepChecker, TOSEM 2022. Lu et al., Dying ReLU and initialization, 2019.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.weights import ActivationFacts, Rectified
from assay.rule import NOTE, WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

LOOKS, ROWS, UNITS = 3, 64, 8
MOST, HALF = 0.95, 0.5


@rule(severity=WARNING)
def dead_units(activations: ActivationFacts) -> Iterator[Verdict]:
    """Look for layers of dead units."""
    if not activations.rectified:
        yield NotApplicable("no layer is followed by a ReLU")
        return
    enough = [each for each in activations.rectified if each.looks >= LOOKS and each.rows >= ROWS]
    if not enough:
        yield NotChecked(f"no layer was seen at {LOOKS} training steps of {ROWS} rows together")
    for model in dict.fromkeys(each.model for each in enough):
        layers = [each for each in enough if each.model == model and each.units >= UNITS and _share(each) >= HALF]
        if layers:
            yield _dead(sorted(layers, key=_share, reverse=True))


def _share(layer: Rectified) -> float:
    return layer.dead / layer.units


def _dead(layers: list[Rectified]) -> Finding:
    worst = layers[0]
    return Finding(
        summary=f"{worst.dead} of {worst.units} units of {worst.name or worst.model} put out nothing for any of "
                f"{worst.rows} rows",
        severity=WARNING if _share(worst) >= MOST else NOTE,
        where=Where(place=worst.place, module=worst.name or None),
        evidence={"layers": {each.name: [each.dead, each.units] for each in layers}, "rows": worst.rows,
                  "sampled_steps": worst.looks},
        impact="they get no gradient, and neither does what lies before them",
        fix="take a smaller rate, start biases at zero, bring inputs to the scale of 1, or use a leaky ReLU or GELU",
    )
