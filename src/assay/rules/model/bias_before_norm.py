"""A layer's bias is taken away again by the batch norm that follows.

## Why it hurts
Hardly: batch norm subtracts the mean, and with it any constant, so the bias gets no gradient and is only stored,
decayed and sent about.

## What is looked at
Linear layers and convolutions with a bias whose output, as it is, is a batch norm's input, at sampled steps.

## Remedy
`bias=False` in that layer.

## When it is wrong to worry
It never hurts a result: this is a note.

## References
Ioffe and Szegedy, "Batch normalization", 2015, section 3.2: "the bias b can be ignored".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.norms import NormFacts
from assay.rule import NOTE, Finding, Verdict, Where, rule

SHOWN = 5


@rule(severity=NOTE)
def bias_before_norm(norms: NormFacts) -> Iterator[Verdict]:
    """One note a model, with the layers whose bias is wasted."""
    wasted = [each for each in norms.norms if each.bias is not None]
    for model in dict.fromkeys(each.model for each in wasted):
        names = [each.bias for each in wasted if each.model == model]
        yield Finding(
            summary=f"the bias of layer {names[0]} in {model} is taken away by the batch norm behind it"
                    + (f", and {len(names) - 1} more" if len(names) > 1 else ""),
            where=Where(module=names[0]), evidence={"layers": names[:SHOWN]},
            impact="none on the result: parameters without effect", fix="give these layers bias=False",
        )
