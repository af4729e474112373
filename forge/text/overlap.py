"""How many shingles two texts share, exactly, for many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from forge.text.shingles import ALPHABETIC_SIZE, shingle_size, shingles_of
from forge.text.signatures import Ints, distinct

_BITS = 64


def shared(normals: Sequence[str], left: Ints, right: Ints) -> Ints:
    """Count the shingles that pairs of texts share.

    Args:
        normals: texts in normal form.
        left: (p,) positions of the first texts, and `right` of the second.

    Returns:
        (p,) sizes of the intersections of their shingle sets.
    """
    counted = np.zeros(len(left), dtype=np.int64)
    alphabetic = np.array([shingle_size(normal) == ALPHABETIC_SIZE for normal in normals], dtype=np.bool_)
    whole = alphabetic[left] & alphabetic[right]
    chosen = np.flatnonzero(alphabetic)
    place = np.cumsum(alphabetic) - 1
    together = _together([normals[i] for i in chosen.tolist()], place[left[whole]], place[right[whole]])
    if together is None:
        whole = np.zeros_like(whole)
    else:
        counted[whole] = together
    sets: dict[int, frozenset[str]] = {}
    for pair in np.flatnonzero(~whole).tolist():
        one, other = int(left[pair]), int(right[pair])
        for text in (one, other):
            if text not in sets:
                sets[text] = shingles_of(normals[text])
        counted[pair] = len(sets[one] & sets[other])
    return counted


def _together(normals: Sequence[str], left: Ints, right: Ints) -> Ints | None:
    """`shared` of texts of one shingle size, by sorting the shingles of all pairs; None where they do not fit."""
    found = distinct(normals, ALPHABETIC_SIZE) if len(left) else None
    if found is None or found.width + (len(left) - 1).bit_length() > _BITS:
        return None if len(left) else left
    counts = found.counts(len(normals))
    begins = np.cumsum(counts) - counts
    width = np.uint64(found.width)
    codes = found.packed & np.uint64((1 << found.width) - 1)
    sides = []
    for side in (left, right):
        sizes = counts[side]
        at = np.repeat(begins[side] - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)
        pair = np.repeat(np.arange(len(side), dtype=np.uint64), sizes)
        sides.append(codes[at] | (pair << width if len(side) > 1 else pair))
    joined = np.concatenate(sides)
    joined.sort()
    twice = joined[1:][joined[1:] == joined[:-1]]
    return np.bincount((twice >> width).astype(np.int64) if len(left) > 1 else twice * 0, minlength=len(left))
