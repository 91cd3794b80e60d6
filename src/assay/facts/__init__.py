"""What assay knows: frozen records, one file an area. Rules judge these and nothing else."""
