"""One training run, repeatable bit for bit."""
