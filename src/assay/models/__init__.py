"""Models and baselines by name."""
