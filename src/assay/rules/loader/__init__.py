"""What is wrong with how examples are handed out."""
