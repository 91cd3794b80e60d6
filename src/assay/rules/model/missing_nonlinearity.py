"""Linear layers back to back, with nothing between.

## Why it hurts
Two linear maps in a row are one linear map: the layer adds parameters and no power. Where it happens throughout, the
network is a linear model, whatever its depth. Most often an activation was made in `__init__` and is never called.

## What is looked at
The graphs of the first losses: an nn.Linear whose input is another's output, with nothing between but a change of shape
or a factor (dropout), where nothing else uses that output and it isn't narrower than both what goes in and what comes
out, so that it doesn't restrict the rank. A warning for layers of the same module, a note across modules.

## Remedy
Put an activation between the two, or make them one layer.

## When it is wrong to worry
Low-rank factorisations, LoRA and linear bottlenecks are narrower in the middle; embeddings that a loss, a second head
or the caller also uses, and layers inside attention, stay silent. Studies of deep linear networks mean it: allow the
rule.

## References
Saxe, McClelland and Ganguli, Exact solutions to the nonlinear dynamics of learning in deep linear networks, 2014.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.graphs import LinearPair, LinearPairs
from assay.facts.model import ModelFacts
from assay.rule import NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule


@rule(severity=WARNING)
def missing_nonlinearity(linear: LinearPairs, models: ModelFacts | None) -> Iterator[Verdict]:
    """Look for pairs that don't restrict the rank."""
    if linear.hidden is not None and not linear.pairs:
        yield NotChecked(linear.hidden)
    together = [pair for pair in linear.pairs if _idle(pair) and _parent(pair.first) == _parent(pair.second)]
    apart = [pair for pair in linear.pairs if _idle(pair) and pair not in together]
    if together:
        yield _one_map(together, models, linear.layers)
    if apart:
        yield _across(apart)


def _idle(pair: LinearPair) -> bool:
    into, between, out = pair.widths
    return between >= min(into, out)


def _parent(name: str) -> str:
    return name.rpartition(".")[0]


def _where(pair: LinearPair, models: ModelFacts | None) -> Where:
    """The layer, and the line that calls it, or else the one that makes the model that holds it."""
    if pair.place is not None:
        return Where(place=pair.place, module=pair.second)
    holders = [model for model in (models.models if models else ()) for each in model.parameters
               if each.name == f"{pair.second}.weight"]
    return Where(place=holders[0].place if len(holders) == 1 else None, module=pair.second)


def _one_map(pairs: list[LinearPair], models: ModelFacts | None, layers: int) -> Finding:
    first = min(pairs, key=lambda pair: pair.place.line if pair.place else 0)
    named = " and ".join(f"{pair.second} follows {pair.first}" for pair in pairs[:3])
    return Finding(
        summary=f"linear layers stand back to back: {named}, with no activation between",
        where=_where(first, models),
        evidence={"pairs": [[pair.first, pair.second, list(pair.widths)] for pair in pairs], "linear_layers": layers},
        impact="two linear layers in a row are one: the second adds no power",
        fix="put an activation between them, or make them one layer",
    )


def _across(pairs: list[LinearPair]) -> Finding:
    return Finding(
        summary=f"{pairs[0].second} is given just what {pairs[0].first} puts out, with no activation between",
        severity=NOTE, where=Where(module=pairs[0].second),
        evidence={"pairs": [[pair.first, pair.second, list(pair.widths)] for pair in pairs]},
        fix="put an activation between the two parts, unless a linear map is meant",
    )
