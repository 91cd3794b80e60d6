"""What is wrong with the record of a run."""
