"""Noise: neighbours are no more alike than others, and no order can be told."""

from __future__ import annotations

import numpy as np

from assay.facts.channels import ChannelFacts
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.channels import measure_channels


def facts() -> FactSet:
    images = np.random.default_rng(0).normal(size=(40, 3, 16, 16)).astype(np.float32)
    measured = measure_channels(images)
    return FactSet(absent={ChannelFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
