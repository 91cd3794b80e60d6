"""One term of the loss is summed over the batch, another averaged over it, so that one drowns the other.

## Why it hurts
A mean over a batch of images weighs each pixel by one over their number; a sum weighs each code by one. Added as they
are, the penalty counts thousands of times what the formula says, and thousands of times more in a larger batch. A
variational autoencoder then gives up its code: every reconstruction is the mean image, and no rate mends it.

## What is looked at
At the first steps, the terms that were added up to the loss: whether each is a sum or a mean over all elements, of how
many, and what it is multiplied by, which is the loss's derivative by it. Of two terms over the same examples, where one
is a penalty on values that the other is made from, one element must not weigh more than a hundred times one of the
other's by reduction alone: that far, the smaller term stands below the noise of the larger one. Factors other than
1/2, 1 and 2 are weights that somebody chose, and stay silent.

## Remedy
Reduce both alike: sum each over an example's elements, then take the mean over the batch.

## When it is wrong to worry
Weights on purpose are silent, and so are sums over an example's codes beside means over pixels, whose balance doesn't
hang on the batch; and terms over other values, such as penalties on weights.

## References
Kingma and Welling, "Auto-encoding variational Bayes", ICLR 2014, equation 10; Higgins et al., "beta-VAE", ICLR 2017,
on what the balance does.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_scales import LossScales, UnevenTerms
from assay.rule import WARNING, Finding, Verdict, Where, rule

DROWNED = 100.0


@rule(severity=WARNING)
def terms_on_scales(scales: LossScales) -> Iterator[Verdict]:
    """Take each pair of terms that are reduced otherwise."""
    for each in scales.uneven:
        if each.averaged_over > DROWNED:
            yield _finding(each)


def _finding(each: UnevenTerms) -> Finding:
    return Finding(
        summary=f"one term of the loss is a sum over {each.summed_over} elements of the batch, another a mean over "
                f"{each.averaged_over}: an element weighs {each.averaged_over} times as much",
        where=Where(place=each.place),
        evidence={"summed": each.summed, "summed_over": each.summed_over, "averaged": each.averaged,
                  "averaged_over": each.averaged_over, "steps": each.steps},
        impact="the averaged term hardly counts, and the balance moves with the batch size",
        fix="sum both over each example's elements and take the mean over the batch",
    )
