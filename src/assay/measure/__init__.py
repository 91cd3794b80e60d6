"""Measurements of data: each returns facts, rules judge them."""
