"""Pairs of an item and its control: how minimal they are. Pure functions on texts; no I/O, no model."""
