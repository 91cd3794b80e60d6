"""What is wrong with the model."""
