"""An image's axes or channels enter in the wrong order.

## Why it hurts
Files hold height × width × channels, a convolution reads channels × height × width. A reshape in the place of a
permutation fits every shape and cuts the picture into stripes; the network trains on them, and does badly.

## What is looked at
The shape of an image as it enters: a last axis of 3 or 4 behind a first of more than 4 holds the channels, an error.
And how much values differ: in a picture of anything, neighbours in a row are alike. Where values as far apart as there
are channels differ less than half as much as neighbours do, what stands side by side are the channels of one pixel: an
error. In a sound picture values further apart differ more, so that the ratio is above 1; half leaves room for texture.

## Remedy
`image.transpose(2, 0, 1)` or `tensor.permute(2, 0, 1)`; never `reshape`.

## When it is wrong to worry
Spectra and other stacks that aren't pictures. Grey pictures stored as three equal channels show nothing of this.

## References
PyTorch documentation, torch.nn.Conv2d: the input is (N, C, H, W).
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.channels import ChannelFacts
from assay.rule import ERROR, Finding, Verdict, rule

CHANNELS = (3, 4)
RATIO = 0.5


@rule(severity=ERROR)
def channel_order(images: ChannelFacts) -> Iterator[Verdict]:
    """Look at the shape, then at neighbours."""
    first, height, width = images.shape
    evidence: dict[str, object] = {
        "shape": list(images.shape), "difference_of_neighbours": images.next_to,
        "difference_of_values_that_far_apart": images.apart,
    }
    if width in CHANNELS and first > max(CHANNELS):
        yield Finding(
            summary=f"images enter as {first} × {height} × {width}: the channels stand last, where the width belongs",
            evidence=evidence, fix="permute the axes to channels × height × width: tensor.permute(2, 0, 1)",
        )
    elif images.apart < RATIO * images.next_to:
        yield Finding(
            summary=f"values next to each other in a row differ more than twice as much as values {first} apart: the "
                    f"{first} channels of a pixel stand side by side",
            evidence=evidence, impact="the network sees stripes in the place of the picture",
            fix="permute the axes in the place of reshaping them: image.transpose(2, 0, 1)",
        )
