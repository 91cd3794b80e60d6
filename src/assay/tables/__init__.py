"""Tables in files: what stands in them, how it is read, and what a first recipe says of it."""
