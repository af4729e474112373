"""Prompt templates: found, hashed and rendered. Gets its roots as arguments; writes nothing."""
