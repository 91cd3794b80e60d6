"""What the user asks for: schema, reading, checks, derived quantities, rendering."""
