"""What is wrong with comparisons."""
