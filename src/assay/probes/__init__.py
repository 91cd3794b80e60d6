"""The only part that hooks a living program: one file a kind of thing to look at."""
