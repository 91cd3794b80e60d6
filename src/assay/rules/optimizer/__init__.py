"""What is wrong with the optimisation."""
