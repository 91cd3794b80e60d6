"""assay: training recipes that fail loudly."""

