"""The rungs of the ladder, one file each, in the order in which they are climbed."""

from __future__ import annotations

from assay.stage import Stage
from assay.stages.baselines import baselines
from assay.stages.data import data
from assay.stages.overfit import overfit
from assay.stages.seeds import seeds
from assay.stages.single import single
from assay.stages.smoke import smoke
from assay.stages.subset import subset

ORDER: tuple[Stage, ...] = (data, baselines, smoke, overfit, subset, single, seeds)
