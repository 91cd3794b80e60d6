"""Measure whether an image's neighbouring values are neighbours: they differ little, in any picture of anything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.facts.channels import ChannelFacts
from assay.facts.fact import Absent

MOST = 256  # images looked at


def measure_channels(images: NDArray[np.float32]) -> ChannelFacts | Absent:
    """Compare differences along the rows of images [images, channels, height, width].

    Absent where the examples are no images of several channels: one channel has no order.
    """
    if images.ndim != 4 or 0 in images.shape:
        return Absent("the examples are no images", applicable=False)
    if 1 in (images.shape[1], images.shape[3]):
        return Absent("the images have one channel", applicable=False)
    looked = images[:MOST].astype(np.float64)
    channels = looked.shape[1]
    return ChannelFacts(
        shape=(looked.shape[1], looked.shape[2], looked.shape[3]), next_to=_difference(looked, 1),
        apart=_difference(looked, channels) if channels < looked.shape[3] else float("inf"),
    )


def _difference(images: NDArray[np.float64], lag: int) -> float:
    return float(np.abs(images[..., lag:] - images[..., :-lag]).mean())
