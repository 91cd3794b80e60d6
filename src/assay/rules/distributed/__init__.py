"""Rules on training in several processes."""
