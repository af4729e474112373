"""A near-duplicate index: MinHash LSH proposes, exact Jaccard similarity decides.

The same texts give the same answers and bytes in every process: the scheme, its hash and its seed are pinned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import numpy as np

from forge.text.normalise import normalise
from forge.text.rowindex import RowIndex, TextStore
from forge.text.saved import DIGEST_WORDS, Saved, Settings, pack, unpack
from forge.text.signatures import Prepared, Signer

# Everything that decides which pairs are found: changing any of it is another scheme.
SCHEME = "forge-dedup/2 minhash=affine32 hash=splitmix64(12-bit steps) keys=fold64 shingles=normalise,k5|k1"
# At the threshold itself, so that what is measured over pairs at and above it stays above 0.999.
RECALL = 0.9995
PERMUTATIONS = 256
_STEPS = 200
_BATCH = 2000


class Match(NamedTuple):
    """An indexed text and its exact Jaccard similarity to the text asked for."""

    key: str
    similarity: float


def choose_bands(threshold: float, num_perm: int, recall: float = RECALL) -> tuple[int, int]:
    """Bands b and rows r for which a pair at the threshold is proposed with probability ≥ `recall`.

    A pair of similarity s is proposed with probability 1 - (1 - s^r)^b (Leskovec, Rajaraman, Ullman, Mining of
    Massive Datasets, 3.4.2). Of all (b, r) with 2 ≤ b and b·r ≤ num_perm that reach the recall, the one that proposes
    the fewest pairs below the threshold is taken: the least area under that curve from 0 to the threshold.

    Args:
        threshold: Jaccard similarity, above 0, at most 1.
        num_perm: number of hash permutations.
        recall: wanted probability at the threshold, in 0..1 exclusive.

    Raises:
        ValueError: an argument is out of range, or no (b, r) reaches the recall.
    """
    if not 0 < threshold <= 1 or not 0 < recall < 1:
        raise ValueError(f"threshold {threshold} must lie in (0, 1] and recall {recall} in (0, 1)")
    best: tuple[float, int, int] | None = None
    for rows in range(1, num_perm // 2 + 1):
        # More bands only add candidates, so for each r the smallest b that reaches the recall is enough.
        for bands in range(2, num_perm // rows + 1):
            if 1 - (1 - threshold**rows) ** bands >= recall:
                area = _area(threshold, bands, rows)
                if best is None or (area, bands, rows) < best:
                    best = (area, bands, rows)
                break
    if best is None:
        raise ValueError(
            f"no bands reach recall {recall} at threshold {threshold} with {num_perm} permutations; raise num_perm"
        )
    return best[1], best[2]


def _area(threshold: float, bands: int, rows: int) -> float:
    """Mean proposal probability for similarities spread evenly over 0..threshold (midpoint rule)."""
    return sum(1 - (1 - (threshold * (i + 0.5) / _STEPS) ** rows) ** bands for i in range(_STEPS)) / _STEPS


def settings_of(threshold: float, num_perm: int = PERMUTATIONS, seed: int = 1) -> Settings:
    """Return the settings of an index.

    Raises:
        ValueError: no bands reach the recall at the threshold.
    """
    return Settings(SCHEME, float(threshold), num_perm, seed, choose_bands(threshold, num_perm))


class DedupIndex:
    """Texts by key, searched for near-duplicates.

    Args:
        threshold: exact Jaccard similarity of shingle sets from which a text counts as near, above 0, at most 1.
        num_perm: MinHash permutations, at most.
        seed: of the permutations.
        texts: keeps the normal forms; must be empty. By default they are kept in memory.

    Attributes:
        params: bands and rows, from `choose_bands`.

    Raises:
        ValueError: no bands reach a recall of `RECALL` at the threshold.
    """

    def __init__(
        self, threshold: float, num_perm: int = PERMUTATIONS, seed: int = 1, texts: TextStore | None = None
    ) -> None:
        self.settings = settings_of(threshold, num_perm, seed)
        self.threshold, self.num_perm, self.seed = threshold, num_perm, seed
        self.params = self.settings.params
        self._signer = Signer(*self.params, seed)
        self._index = RowIndex(self.params[0], threshold, texts)
        # Insertion order is row order.
        self._rows: dict[str, int] = {}
        self._keys: list[str] = []

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays set aside; texts and keys are not counted."""
        return self._index.nbytes

    def add(self, key: str, text: str) -> None:
        """Index a text.

        Raises:
            ValueError: the key is taken.
        """
        self.add_many([(key, text)])

    def add_many(self, items: Iterable[tuple[str, str]]) -> None:
        """Index (key, text) pairs in order, as `add` would one by one, and much faster.

        Raises:
            ValueError: a key is taken; then none of the batch of 2,000 that it stands in was added.
        """
        batch: dict[str, str] = {}
        for key, text in items:
            if key in self._rows or key in batch:
                raise ValueError(f"key {key!r} is already in the index")
            batch[key] = text
            if len(batch) == _BATCH:
                self._put(list(batch), self._signer.prepare([normalise(text) for text in batch.values()]))
                batch = {}
        if batch:
            self._put(list(batch), self._signer.prepare([normalise(text) for text in batch.values()]))

    def _put(self, keys: list[str], prepared: Prepared) -> None:
        self._rows.update(zip(keys, range(len(self._keys), len(self._keys) + len(keys)), strict=True))
        self._keys.extend(keys)
        self._index.add(prepared)

    def query(self, text: str, exclude: str | Collection[str] | None = None) -> list[Match]:
        """Indexed texts whose exact similarity to `text` is at least the threshold, most similar first, then by key.

        Args:
            text: what to look for; it need not be indexed.
            exclude: a key, or several, to leave out.
        """
        hidden = {exclude} if isinstance(exclude, str) else set(exclude or ())
        found = self._index.near(self._signer.prepare([normalise(text)])).get(0, [])
        matches = [Match(self._keys[row], similarity) for row, similarity in found]
        return sorted(
            (match for match in matches if match.key not in hidden), key=lambda match: (-match.similarity, match.key)
        )

    def nearest(self, text: str, exclude: str | Collection[str] | None = None) -> Match | None:
        """The first of `query`, or None when nothing reaches the threshold."""
        matches = self.query(text, exclude)
        return matches[0] if matches else None

    def to_bytes(self) -> bytes:
        """The index as bytes: settings, keys, normal forms in order of insertion, and their signatures."""
        count = len(self._keys)
        digests = np.zeros((count, DIGEST_WORDS), dtype=np.uint64)
        return pack(self.settings, self._keys, self._index, np.arange(count, dtype=np.int64), digests)

    @classmethod
    def from_bytes(cls, data: bytes) -> DedupIndex:
        """Read an index that `to_bytes`, or `forge dedup --index`, made.

        Raises:
            ValueError: the bytes are no such index, or one of another scheme or other bands.
        """
        saved = unpack(data)
        made = saved.settings
        if made.scheme != SCHEME:
            raise ValueError(f"dedup index has scheme {made.scheme!r}, this version reads {SCHEME!r}: build it anew")
        index = cls(made.threshold, made.num_perm, made.seed)
        if difference := index.settings.differs(made):
            raise ValueError(f"dedup index of other bands: {difference}")
        index._fill(saved)
        return index

    def _fill(self, saved: Saved) -> None:
        if len(set(saved.keys)) != len(saved.keys):
            raise ValueError("damaged dedup index: a key stands in it twice")
        for begin in range(0, len(saved.keys), _BATCH):
            end = min(begin + _BATCH, len(saved.keys))
            self._put(saved.keys[begin:end], saved.prepared(begin, end))
