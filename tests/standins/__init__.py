"""Stand-ins on the CPU for published silent training errors (TrainCheck, OSDI 2025): same cause, a toy around it."""
