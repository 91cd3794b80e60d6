"""A run as one page of HTML: self-contained, offline, readable on paper and on a telephone."""
