"""Asks models the items of frozen releases, reads what they answer, and measures it."""
