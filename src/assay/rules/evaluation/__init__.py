"""What is wrong with the evaluation."""
