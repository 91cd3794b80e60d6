"""Where examples come from: one file a kind of source."""
