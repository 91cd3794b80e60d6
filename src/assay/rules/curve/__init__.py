"""What is wrong with learning curves."""
