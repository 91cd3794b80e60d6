"""What is wrong with a loss."""
