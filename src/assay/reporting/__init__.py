"""How findings and results are shown: terminal and JSON."""
