"""Rules on graphs: nodes, edges, their masks and their splits."""
