"""What is wrong with the data and their splits."""
