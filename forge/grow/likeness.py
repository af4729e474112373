"""Duplicates within a seed: similarity of normalised shingles, and the same numbers. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from forge.grow.state import Twin
from forge.model.growth import Candidate
from forge.model.profile import Limits
from forge.text.numbers import find_numbers
from forge.text.shingles import similarity


def numbers_of(text: str) -> tuple[tuple[str, str], ...]:
    """Return the sorted (value, unit) pairs of a text."""
    return tuple(sorted((str(number.value.normalize()), number.unit or "") for number in find_numbers(text)))


def twin(text: str, earlier: Iterable[Candidate], limits: Limits) -> Twin:
    """Return the earlier candidate most similar to `text`.

    Normalising turns numerals into one placeholder, so two wordings with other numbers can be fully similar: they are
    near duplicates, and only the same numbers make a duplicate (design section 4, Duplicates within a seed).
    """
    best, whose, duplicate = 0.0, None, False
    for other in earlier:
        value = similarity(text, other.text)
        if value > best:
            best, whose = value, other.id
        if value >= limits.duplicate and numbers_of(text) == numbers_of(other.text):
            return Twin(value, other.id, duplicate=True, near=True)
    return Twin(best, whose, duplicate=duplicate, near=best >= limits.near_duplicate)


def near(a: str, b: str, limits: Limits) -> bool:
    """Whether two texts belong to one cluster of near-duplicates."""
    return similarity(a, b) >= limits.near_duplicate
