"""Gradients fall by orders of magnitude from the last layers to the first.

## Why it hurts
The first layers hardly learn: the network trains its last layers on features that stay random.

## What is looked at
The root mean square of the gradient of each weight matrix, in the order in which the optimizer holds them, at the
sampled steps. It counts where there are five matrices or more, and at every sampled step, five at least, the largest of
the first third is below 1e-4 of the last third's, with the middle third between them. Ten saturating layers of a factor
of a quarter each (a sigmoid's steepest slope) come to 1e-6; sound networks stay above a hundredth. The largest, since
a signal that reaches one layer has not vanished: beside it stand the queries and keys of attention that is still even,
whose gradients are tiny in any fresh transformer.

## Remedy
Use activations that don't saturate, normalisation, residual connections, or an initialisation that keeps the scale.

## When it is wrong to worry
Zero-initialised branches and adapters give exact zeros, which are left out, and only at first. Embeddings, gains and
biases aren't compared. A fresh transformer's queries and keys, see above.

## References
Glorot and Bengio, Understanding the difficulty of training deep feedforward neural networks, 2010; Hochreiter, 1991.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

LAYERS, LOOKS = 5, 5
RATIO = 1e-4


@rule(severity=WARNING)
def grad_vanishes(optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """Compare the gradients of the first third with those of the last."""
    deep = [each for each in optimizers.optimizers
            if len(each.weights) >= LAYERS and len(each.weight_gradients) >= LOOKS]
    if not deep:
        yield NotChecked(f"no optimizer holds {LAYERS} weight matrices that were looked at for {LOOKS} steps")
    for each in deep:
        thirds = [_thirds(profile) for profile in each.weight_gradients]
        if all(0 < first <= middle <= last and first < RATIO * last for first, middle, last in thirds):
            yield _finding(each, thirds)


def _thirds(profile: tuple[float, ...]) -> tuple[float, float, float]:
    """The largest of the first, middle and last third of the layers."""
    third = len(profile) // 3
    parts = (profile[:third], profile[third : len(profile) - third], profile[len(profile) - third :])
    first, middle, last = map(max, parts)
    return first, middle, last


def _finding(optimizer: OptimizerRecord, thirds: list[tuple[float, float, float]]) -> Finding:
    first, _, last = thirds[-1]
    return Finding(
        summary=f"gradients vanish through the depth: those of the first layers are {last / first:.0e} times smaller "
                "than those of the last",
        where=Where(place=optimizer.step_place or optimizer.place, module=optimizer.weights[0] or None),
        evidence={
            "layers": list(optimizer.weights), "last_gradients": list(optimizer.weight_gradients[-1]),
            "largest_of_thirds": [list(each) for each in thirds],
        },
        impact="the first layers keep their random values",
        fix="use activations that don't saturate, normalisation or residual connections",
    )
