"""Ingredient tables: the truths from which seeds are composed, their lint, and the composition. Pure."""
