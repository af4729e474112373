"""Rows by band key in numpy arrays: who shares a key with whom. It proposes; it compares no texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forge.text.signatures import U32, Ints

_NONE = -1
_LEAST = 1024
_MOST = 2**31 - 1
# Pairs held before they are handed on, and entries linked in one go: what bounds the memory of a batch.
_PAIRS = 1 << 21
_LINKED = 1 << 20


class Column:
    """A numpy array that grows at its end.

    Args:
        dtype: of the values.
        shape: of one value.
    """

    def __init__(self, dtype: Any, shape: tuple[int, ...] = ()) -> None:
        self._array: NDArray[Any] = np.empty((0, *shape), dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def values(self) -> NDArray[Any]:
        """What was appended, as a view that the next `append` may leave behind."""
        return self._array[: self._length]

    @property
    def nbytes(self) -> int:
        """Bytes set aside."""
        return self._array.nbytes

    def append(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        needed = self._length + len(values)
        if needed > len(self._array):
            # The tail is not touched before it is used, so it costs address space, not memory.
            grown = np.empty(
                (max(needed, len(self._array) * 3 // 2, _LEAST), *self._array.shape[1:]), self._array.dtype
            )
            grown[: self._length] = self.values
            self._array = grown
        self._array[self._length : needed] = values
        self._length = needed


class Buckets:
    """A hash table with one entry for each band of each row, chained through arrays.

    Args:
        bands: keys per row.
    """

    def __init__(self, bands: int) -> None:
        self.bands = bands
        self._keys = Column(np.uint32)
        self._next = Column(np.int32)
        self._heads = np.full(_LEAST, _NONE, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._keys) // self.bands

    @property
    def keys(self) -> U32:
        """(rows, bands) the keys of all rows."""
        return self._keys.values.reshape(-1, self.bands)

    @property
    def nbytes(self) -> int:
        """Bytes set aside."""
        return self._keys.nbytes + self._next.nbytes + self._heads.nbytes

    def add(self, keys: U32) -> None:
        """Add rows after those that are there.

        Args:
            keys: (n, bands).

        Raises:
            ValueError: there would be more entries than 31 bits can number.
        """
        begin = len(self._keys)
        if begin + keys.size > _MOST:
            raise ValueError(f"an index of {self.bands} bands holds at most {_MOST // self.bands} texts")
        self._keys.append(keys.reshape(-1))
        self._next.append(np.full(keys.size, _NONE, dtype=np.int32))
        end = len(self._keys)
        if end > len(self._heads):
            self._heads = np.full(1 << (end - 1).bit_length(), _NONE, dtype=np.int32)
            begin = 0
        for first in range(begin, end, _LINKED):
            self._link(first, min(first + _LINKED, end))

    def _link(self, begin: int, end: int) -> None:
        """Put entries at the head of their chains, the latest first."""
        # Slot and place in one number: sorting those is several times faster than a stable argsort of the slots.
        packed = self._slots(self._keys.values[begin:end]).astype(np.int64) << 32
        packed |= np.arange(begin, end, dtype=np.int64)
        packed.sort()
        slots, entries = packed >> 32, (packed & 0xFFFFFFFF).astype(np.int32)
        follows = np.concatenate(([False], slots[1:] == slots[:-1]))
        self._next.values[entries] = np.where(follows, np.roll(entries, 1), self._heads[slots])
        last = np.concatenate((~follows[1:], [True]))
        self._heads[slots[last]] = entries[last]

    def _slots(self, keys: U32) -> U32:
        return keys & np.uint32(len(self._heads) - 1)

    def sharing(self, keys: U32) -> Iterator[tuple[Ints, Ints]]:
        """Find the rows that share at least one key with each of n queries.

        Args:
            keys: (n, bands).

        Yields:
            Positions of queries and rows, pair by pair. A pair occurs once in what is yielded at a time, and what is
            yielded at a time is bounded, however full a bucket is.
        """
        wanted = keys.reshape(-1)
        query = np.arange(len(wanted), dtype=np.int64) // self.bands
        entry = self._heads[self._slots(wanted)]
        held: list[Ints] = []
        count = 0
        alive = np.flatnonzero(entry != _NONE)
        while len(alive):
            entry, wanted, query = entry[alive], wanted[alive], query[alive]
            hit = np.flatnonzero(self._keys.values[entry] == wanted)
            if len(hit):
                held.append(query[hit] << 32 | entry[hit] // self.bands)
                count += len(hit)
            if count >= _PAIRS:
                yield _pairs(held)
                held, count = [], 0
            entry = self._next.values[entry]
            alive = np.flatnonzero(entry != _NONE)
        if held:
            yield _pairs(held)


def _pairs(held: list[Ints]) -> tuple[Ints, Ints]:
    packed = np.unique(np.concatenate(held))
    return packed >> 32, packed & 0xFFFFFFFF
