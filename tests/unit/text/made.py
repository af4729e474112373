"""Texts for the index's tests: words as frequent as in a language, and copies with some of them changed."""

from __future__ import annotations

import random

import numpy as np
from scipy import sparse

from forge.text.shingles import shingles

SYLLABLES = ("ba", "ren", "ti", "so", "lum", "ka", "fe", "dor", "mi", "nat", "ple", "gro", "shi", "wen", "co", "ur")


def vocabulary(rng: random.Random, size: int = 2000) -> list[str]:
    """Distinct words; the earlier, the shorter."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choices(SYLLABLES, k=1 + (len(words) >= 10) + (len(words) >= 150)))] = None
    return list(words)


def texts(count: int, seed: int, planted: float = 0.3) -> list[str]:
    """Texts of about 200 characters; a share of them repeats an earlier one with one to five words changed."""
    rng = random.Random(seed)
    words = vocabulary(rng)
    weights = [1 / (rank + 3) for rank in range(len(words))]
    made: list[list[str]] = []
    for _ in range(count):
        if made and rng.random() < planted:
            said = list(rng.choice(made))
            for _ in range(rng.randint(1, 5)):
                said[rng.randrange(len(said))] = rng.choice(words)
        else:
            said = rng.choices(words, weights, k=rng.randint(25, 50))
        made.append(said)
    return [" ".join(said).capitalize() + "." for said in made]


def pairs(rows: list[str], threshold: float) -> dict[tuple[int, int], float]:
    """Every pair (earlier, later) whose exact similarity reaches the threshold: shared shingles of all pairs are
    counted at once, as a product of sparse matrices."""
    sets = [shingles(row) for row in rows]
    numbers: dict[str, int] = {}
    columns = [numbers.setdefault(one, len(numbers)) for found in sets for one in found]
    ends = np.cumsum([0, *map(len, sets)])
    matrix = sparse.csr_array((np.ones(len(columns), dtype=np.int64), columns, ends), shape=(len(sets), len(numbers)))
    shared = sparse.coo_array(matrix @ matrix.T)
    sizes = np.diff(ends)
    later, earlier = shared.row, shared.col
    scores = shared.data / (sizes[later] + sizes[earlier] - shared.data)
    near = (earlier < later) & (scores >= threshold)
    return dict(zip(zip(earlier[near].tolist(), later[near].tolist(), strict=True), scores[near].tolist(), strict=True))
