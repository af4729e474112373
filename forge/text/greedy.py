"""Decides row by row which texts stay: exact repeats, near-duplicates of a kept text, or new. Pure; it reads no file.

A batch is decided as its texts would be one by one, so the answers do not depend on how rows are cut into batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forge.text.buckets import Buckets, Column
from forge.text.index import settings_of
from forge.text.normalise import normalise, numerals
from forge.text.rowindex import Near, RowIndex, TextStore
from forge.text.saved import DIGEST_WORDS, Saved, Settings, pack
from forge.text.signatures import U64, Ints, Prepared, Signer

_SOURCE = 40
_DIGEST_BYTES = 8 * DIGEST_WORDS


class Kind(StrEnum):
    """How a text repeats an earlier one."""

    EXACT = "exact"
    NEAR = "near"


class Collision(NamedTuple):
    """What a text repeats: where that text comes from (see `origin`), and their exact similarity."""

    kind: Kind
    origin: int
    similarity: float


def origin(source: int, row: int) -> int:
    """One number for a row, from 1, of a source, from 0."""
    return source << _SOURCE | row


def place(number: int) -> tuple[int, int]:
    """Source and row of an origin."""
    return number >> _SOURCE, number & (1 << _SOURCE) - 1


def digest(text: str, normal: str) -> bytes:
    """16 bytes that two texts share when they are exact repeats: one normal form, and the same numerals in it."""
    said = "\0".join((normal, *numerals(text)))
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def signed(texts: Sequence[str], signer: Signer) -> tuple[Prepared, U64]:
    """Sign n texts; returns them with their (n, 2) digests."""
    normals = [normalise(text) for text in texts]
    joined = b"".join(map(digest, texts, normals))
    return signer.prepare(normals), np.frombuffer(joined, dtype="<u8").reshape(len(normals), DIGEST_WORDS)


class _Seen:
    """The first row of every digest."""

    def __init__(self) -> None:
        self._buckets = Buckets(1)
        self._digests = Column(np.uint64, (DIGEST_WORDS,))
        self._origins = Column(np.int64)

    @property
    def nbytes(self) -> int:
        return self._buckets.nbytes + self._digests.nbytes + self._origins.nbytes

    def first(self, digests: U64, origins: Ints) -> list[int | None]:
        """Return, for each of n digests, the origin of the first text that had it, or None; remember the new ones."""
        found: list[int | None] = [None] * len(digests)
        keys = self._keys(digests)
        for queries, rows in self._buckets.sharing(keys):
            same = (self._digests.values[rows] == digests[queries]).all(axis=1)
            for query, row in zip(queries[same].tolist(), rows[same].tolist(), strict=True):
                found[query] = int(self._origins.values[row])
        new = [position for position, number in enumerate(found) if number is None]
        if len(np.unique(digests[new, 0])) < len(new):
            fresh: dict[tuple[int, ...], int] = {}
            for position in new:
                first = fresh.setdefault(tuple(digests[position].tolist()), int(origins[position]))
                found[position] = None if first == origins[position] else first
            new = [position for position in new if found[position] is None]
        self._buckets.add(keys[new])
        self._digests.append(digests[new])
        self._origins.append(origins[new])
        return found

    @staticmethod
    def _keys(digests: U64) -> NDArray[np.uint32]:
        return digests[:, :1].astype(np.uint32)


class Deduper:
    """Texts that were kept, and the digests of all that were seen.

    Args:
        threshold: exact Jaccard similarity from which a text counts as near.
        texts: keeps the normal forms of kept texts; must be empty.

    Raises:
        ValueError: no bands reach the recall at the threshold.
    """

    def __init__(self, threshold: float, texts: TextStore | None = None) -> None:
        self.settings: Settings = settings_of(threshold)
        self._index = RowIndex(self.settings.params[0], threshold, texts)
        self._origins = Column(np.int64)
        self._digests = Column(np.uint64, (DIGEST_WORDS,))
        self._seen = _Seen()
        self._inside = 0, 0

    def __len__(self) -> int:
        return len(self._index)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays set aside; texts are not counted."""
        return self._index.nbytes + self._origins.nbytes + self._digests.nbytes + self._seen.nbytes

    @property
    def proposed(self) -> int:
        """Pairs that shared a band."""
        return self._index.proposed + self._inside[0]

    @property
    def compared(self) -> int:
        """Pairs whose exact similarity was computed."""
        return self._index.compared + self._inside[1]

    def signer(self) -> Signer:
        """What signs texts for this index."""
        return Signer(*self.settings.params, self.settings.seed)

    def decide(self, origins: Ints, batch: Prepared, digests: U64) -> list[Collision | None]:
        """Decide n texts, in order, and keep the new ones.

        A text repeats exactly when an earlier one, kept or not, has its digest. Otherwise it is near when a kept one
        reaches the threshold; the most similar is named, the earliest of equals.

        Returns:
            What each text repeats, or None when it was kept.
        """
        first = self._seen.first(digests, origins)
        found = [None if earlier is None else Collision(Kind.EXACT, earlier, 1.0) for earlier in first]
        fresh = [position for position, earlier in enumerate(first) if earlier is None]
        distinct: dict[bytes, int] = {}
        for position in fresh:
            distinct.setdefault(batch.normals[position], position)
        leaders = list(distinct.values())
        turn = {batch.normals[position]: number for number, position in enumerate(leaders)}
        part = batch.take(leaders)
        before, within = self._index.near(part), self._among(part)
        kept: dict[int, int] = {}
        for position in fresh:
            number = turn[batch.normals[position]]
            if number in kept:
                found[position] = Collision(Kind.NEAR, int(origins[kept[number]]), 1.0)
                continue
            found[position] = self._best(before.get(number, []), within.get(number, []), kept, origins)
            if found[position] is None:
                kept[number] = position
        self._keep(origins, batch, digests, list(kept.values()))
        return found

    def learn(self, origins: Ints, batch: Prepared) -> None:
        """Index n texts that came from elsewhere, to be compared with; one whose shingles are all known is left out."""
        known = self._index.near(batch)
        new: dict[bytes, int] = {}
        for position, normal in enumerate(batch.normals):
            if position not in known or known[position][0].similarity < 1.0:
                new.setdefault(normal, position)
        self._keep(origins, batch, np.zeros((len(batch), DIGEST_WORDS), np.uint64), list(new.values()))

    def restore(self, source: int, saved: Saved, begin: int, batch: Prepared) -> None:
        """Index texts of a saved index, from its text `begin` on; its texts are rows 1, 2, … of `source`."""
        rows = np.arange(begin, begin + len(batch), dtype=np.int64)
        digests = saved.digests[rows]
        known = np.flatnonzero(digests.any(axis=1))
        self._seen.first(digests[known], rows[known] + origin(source, 1))
        self._keep(rows + origin(source, 1), batch, digests, range(len(batch)))

    def to_bytes(self, names: Sequence[str | Sequence[str] | None]) -> bytes:
        """The index as bytes, as `saved.pack` writes it.

        Args:
            names: of each source: a name, which gets the row's number behind it; the names of all its rows; or None
                for one that is not to be saved, as are those beyond the end.
        """
        chosen, keys = [], []
        for row, number in enumerate(self._origins.values.tolist()):
            source, at = place(number)
            name = names[source] if source < len(names) else None
            if name is not None:
                chosen.append(row)
                keys.append(f"{name}:{at}" if isinstance(name, str) else name[at - 1])
        rows = np.array(chosen, dtype=np.int64)
        return pack(self.settings, keys, self._index, rows, self._digests.values[rows])

    def _among(self, part: Prepared) -> dict[int, list[Near]]:
        own = RowIndex(self.settings.params[0], self.settings.threshold)
        own.add(part)
        found = own.near(part, itself=True)
        self._inside = self._inside[0] + own.proposed, self._inside[1] + own.compared
        return found

    def _best(self, before: list[Near], within: list[Near], kept: dict[int, int], origins: Ints) -> Collision | None:
        """The most similar of what was indexed before the batch and what was kept of it; the earliest of equals."""
        best = None
        if before:
            best = Collision(Kind.NEAR, int(self._origins.values[before[0].row]), before[0].similarity)
        for row, similarity in within:
            if best is not None and similarity <= best.similarity:
                break
            if row in kept:
                return Collision(Kind.NEAR, int(origins[kept[row]]), similarity)
        return best

    def _keep(self, origins: Ints, batch: Prepared, digests: U64, chosen: Sequence[int]) -> None:
        at = list(chosen)
        self._index.add(batch.take(at))
        self._origins.append(origins[at])
        self._digests.append(digests[at])
