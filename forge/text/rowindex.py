"""Near-duplicates by row number: buckets propose, bounds that can be proved discard, exact Jaccard decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from forge.text.buckets import Buckets, Column
from forge.text.overlap import shared
from forge.text.signatures import BITMAP_WORDS, U32, U64, Ints, Prepared

# Pairs, and shingles in them, that are compared at a time: what bounds the memory of a batch.
_PAIRS = 2048
_SHINGLES = 1 << 21


class TextStore(Protocol):
    """Keeps normal forms, UTF-8, by row."""

    def append(self, texts: Sequence[bytes]) -> None:
        """Add texts after those that are there."""

    def get(self, row: int) -> bytes:
        """Return one text."""

    def __len__(self) -> int: ...


class MemoryTexts:
    """A text store in memory."""

    def __init__(self) -> None:
        self._texts: list[bytes] = []

    def append(self, texts: Sequence[bytes]) -> None:
        """Add texts after those that are there."""
        self._texts.extend(texts)

    def get(self, row: int) -> bytes:
        """Return one text."""
        return self._texts[row]

    def __len__(self) -> int:
        return len(self._texts)


class Near(NamedTuple):
    """A row of the index and its exact similarity to what was looked up."""

    row: int
    similarity: float


class RowIndex:
    """Signed texts by row, searched for near-duplicates.

    Args:
        bands: keys per text.
        threshold: exact Jaccard similarity from which a text counts as near.
        texts: keeps the normal forms; must be empty.

    Attributes:
        proposed: pairs that shared a key.
        compared: pairs whose exact similarity was computed.
    """

    def __init__(self, bands: int, threshold: float, texts: TextStore | None = None) -> None:
        self.threshold = threshold
        self.texts: TextStore = MemoryTexts() if texts is None else texts
        self.proposed = self.compared = 0
        self._buckets = Buckets(bands)
        self._sizes = Column(np.uint32)
        self._bitmaps = Column(np.uint64, (BITMAP_WORDS,))

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def nbytes(self) -> int:
        """Bytes set aside, texts not counted."""
        return self._buckets.nbytes + self._sizes.nbytes + self._bitmaps.nbytes

    @property
    def sizes(self) -> U32:
        """(rows,) distinct shingles."""
        return self._sizes.values

    @property
    def bitmaps(self) -> U64:
        """(rows, 4) bitmaps."""
        return self._bitmaps.values

    @property
    def keys(self) -> U32:
        """(rows, bands) keys."""
        return self._buckets.keys

    def add(self, batch: Prepared) -> None:
        """Index n texts as the next n rows.

        Raises:
            ValueError: the index is full, which takes some 65 million texts.
        """
        self._buckets.add(batch.keys)
        self._sizes.append(batch.sizes)
        self._bitmaps.append(batch.bitmaps)
        self.texts.append(batch.normals)

    def near(self, batch: Prepared, *, itself: bool = False) -> dict[int, list[Near]]:
        """Find, for n texts, the rows at least as similar as the threshold.

        Args:
            itself: the batch is what was indexed, so that row i is left out for text i.

        Returns:
            Position in the batch → rows, most similar first, then by row. A text without any has no entry.
        """
        found: dict[int, dict[int, float]] = {}
        for queries, rows in self._buckets.sharing(batch.keys):
            if itself:
                others = queries != rows
                queries, rows = queries[others], rows[others]
            self.proposed += len(queries)
            queries, rows = self._possible(batch, queries, rows)
            for begin, end in self._parts(batch, queries, rows):
                scores = self._scores(batch, queries[begin:end], rows[begin:end])
                near = np.flatnonzero(scores >= self.threshold)
                for at in near.tolist():
                    found.setdefault(int(queries[begin + at]), {})[int(rows[begin + at])] = float(scores[at])
        return {
            query: sorted((Near(row, score) for row, score in rows.items()), key=lambda near: (-near[1], near[0]))
            for query, rows in found.items()
        }

    def _parts(self, batch: Prepared, queries: Ints, rows: Ints) -> Iterator[tuple[int, int]]:
        """Cut pairs into stretches of bounded size."""
        ends = np.cumsum(batch.sizes[queries].astype(np.int64) + self._sizes.values[rows])
        begin = 0
        while begin < len(queries):
            before = int(ends[begin - 1]) if begin else 0
            end = int(np.searchsorted(ends, before + _SHINGLES, side="right"))
            end = min(max(end, begin + 1), begin + _PAIRS)
            yield begin, end
            begin = end

    def _scores(self, batch: Prepared, queries: Ints, rows: Ints) -> NDArray[np.float64]:
        """Exact similarity of each pair: |A ∩ B| / |A ∪ B|, and 1 for two empty sets."""
        self.compared += len(queries)
        asked, left = np.unique(queries, return_inverse=True)
        held, right = np.unique(rows, return_inverse=True)
        texts = [batch.normals[i].decode("utf-8") for i in asked.tolist()]
        texts += [self.texts.get(row).decode("utf-8") for row in held.tolist()]
        both = shared(texts, left, right + len(asked))
        union = batch.sizes[queries].astype(np.int64) + self._sizes.values[rows] - both
        scores: NDArray[np.float64] = np.divide(both, union, out=np.ones(len(union)), where=union > 0)
        return scores

    def _possible(self, batch: Prepared, queries: Ints, rows: Ints) -> tuple[Ints, Ints]:
        """Leave out pairs that cannot reach the threshold.

        Of sets of a and b shingles that differ in at least d, at most s = min(a, b, (a + b - d) / 2) are shared, so
        their similarity is at most s / (a + b - s). The quotient is computed and compared as the exact one will be.
        """
        for narrow in (False, True):
            a = batch.sizes[queries].astype(np.int64)
            b = self._sizes.values[rows].astype(np.int64)
            shared = np.minimum(a, b)
            if narrow:
                differ = np.bitwise_count(batch.bitmaps[queries] ^ self._bitmaps.values[rows]).sum(
                    axis=1, dtype=np.int64
                )
                shared = np.minimum(shared, (a + b - differ) // 2)
            union = a + b - shared
            kept = np.divide(shared, union, out=np.ones(len(union)), where=union > 0) >= self.threshold
            queries, rows = queries[kept], rows[kept]
        return queries, rows
