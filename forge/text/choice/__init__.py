"""Reads which of several lettered options a response commits to. Standard library only: an export ships it."""

from forge.text.choice.reading import read_choice
from forge.text.choice.types import Choice, Evidence, Unreadable

__all__ = ["Choice", "Evidence", "Unreadable", "read_choice"]
