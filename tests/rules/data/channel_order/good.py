"""Pictures of height × width × channels are transposed to channels first."""

from __future__ import annotations

import numpy as np

from assay.facts.channels import ChannelFacts
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.channels import measure_channels


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[0:16, 0:16] / 16
    phases = rng.uniform(0, 6, size=(40, 1, 1, 3))
    pictures = np.sin(2 * rows[..., None] + 3 * columns[..., None] + phases).astype(np.float32)
    images = pictures.transpose(0, 3, 1, 2)
    measured = measure_channels(images)
    return FactSet(absent={ChannelFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
