"""A session of probes and rules over a living program."""
