"""A near-duplicate index: MinHash LSH (datasketch) proposes, exact Jaccard similarity decides.

The same texts give the same answers and bytes in every process: scheme, hash function and seed are pinned.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from forge.text.normalise import normalise
from forge.text.shingles import jaccard, shingles

if TYPE_CHECKING:
    from datasketch import MinHash, MinHashLSH

# Everything that decides which pairs are found: changing any of it is another scheme.
SCHEME = "forge-dedup/1 minhash=affine32 hash=crc32 shingles=normalise,k5|k1"
# datasketch mixes the 32 bits of the hash function before it permutes them, so a fast checksum serves as well as its
# default, SHA-1 cut to 32 bits, at a tenth of the time.
_MINHASH_SCHEME = "affine32"
_STEPS = 200


class Match(NamedTuple):
    """An indexed text and its exact Jaccard similarity to the text asked for."""

    key: str
    similarity: float


def choose_bands(threshold: float, num_perm: int, recall: float = 0.99) -> tuple[int, int]:
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


class _Buckets:
    """Row numbers by band, the part of datasketch's storage that insert and query use.

    datasketch keeps a Python set per bucket, and nearly every bucket holds one row: at a million texts and 13 bands
    that is over 4 GiB. Here a lone row is stored as itself.
    """

    def __init__(self) -> None:
        self._rows: dict[bytes, int | list[int]] = {}

    def insert(self, bucket: bytes, *rows: int, buffer: bool = False) -> None:
        for row in rows:
            held = self._rows.get(bucket)
            if held is None:
                self._rows[bucket] = row
            elif isinstance(held, int):
                self._rows[bucket] = [held, row]
            else:
                held.append(row)

    def get(self, bucket: bytes) -> Iterable[int]:
        held = self._rows.get(bucket)
        if held is None:
            return ()
        return (held,) if isinstance(held, int) else held


class _NoKeys:
    """Stands for datasketch's table of keys, which only removal reads; rows are never removed here."""

    def insert(self, row: int, *buckets: bytes, buffer: bool = False) -> None:
        """Keep nothing."""


def _bucket_hash(band: bytes) -> bytes:
    """Eight bytes for a band. Two bands that share them add a candidate, which exact Jaccard then drops."""
    return blake2b(band, digest_size=8).digest()


class DedupIndex:
    """Texts by key, searched for near-duplicates.

    Args:
        threshold: exact Jaccard similarity of shingle sets from which a text counts as near, above 0, at most 1.
        num_perm: MinHash permutations.
        seed: of the permutations.

    Attributes:
        params: bands and rows, from `choose_bands`.

    Raises:
        ValueError: no bands reach a recall of 0.99 at the threshold.
    """

    def __init__(self, threshold: float, num_perm: int = 128, seed: int = 1) -> None:
        self.threshold = threshold
        self.num_perm = num_perm
        self.seed = seed
        self.params = choose_bands(threshold, num_perm)
        # Insertion order is row order. The normal form has the shingles of the text and is smaller than they are.
        self._texts: dict[str, str] = {}
        self._keys: list[str] = []
        self._lsh: MinHashLSH | None = None
        self._blank: MinHash | None = None

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def add(self, key: str, text: str) -> None:
        """Index a text.

        Raises:
            ValueError: the key is taken.
        """
        if key in self._texts:
            raise ValueError(f"key {key!r} is already in the index")
        normal = normalise(text)
        self._tables().insert(len(self._keys), self._minhash(shingles(normal)), check_duplication=False)
        self._texts[key] = normal
        self._keys.append(key)

    def query(self, text: str, exclude: str | Collection[str] | None = None) -> list[Match]:
        """Indexed texts whose exact similarity to `text` is at least the threshold, most similar first, then by key.

        Args:
            text: what to look for; it need not be indexed.
            exclude: a key, or several, to leave out.
        """
        hidden = {exclude} if isinstance(exclude, str) else set(exclude or ())
        wanted = shingles(text)
        matches: list[Match] = []
        for row in self._tables().query(self._minhash(wanted)):
            key = self._keys[row]
            if key in hidden:
                continue
            score = jaccard(wanted, shingles(self._texts[key]))
            if score >= self.threshold:
                matches.append(Match(key, score))
        return sorted(matches, key=lambda match: (-match.similarity, match.key))

    def nearest(self, text: str, exclude: str | Collection[str] | None = None) -> Match | None:
        """The first of `query`, or None when nothing reaches the threshold."""
        matches = self.query(text, exclude)
        return matches[0] if matches else None

    def to_bytes(self) -> bytes:
        """The index as compressed JSON: scheme, settings, and the normal form of every text in order of insertion."""
        document = {
            "scheme": SCHEME,
            "threshold": self.threshold,
            "num_perm": self.num_perm,
            "seed": self.seed,
            "params": list(self.params),
            "texts": [[key, self._texts[key]] for key in self._keys],
        }
        return zlib.compress(json.dumps(document, separators=(",", ":")).encode("ascii"), 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> DedupIndex:
        """Rebuild an index from `to_bytes`; the signatures are computed anew.

        Raises:
            ValueError: the bytes are no such index, or one of another scheme or other bands.
        """
        try:
            document: Any = json.loads(zlib.decompress(data))
            scheme = document["scheme"]
        except (zlib.error, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f"not a dedup index: {error}") from error
        if scheme != SCHEME:
            raise ValueError(f"dedup index has scheme {scheme!r}, this version reads {SCHEME!r}: build it anew")
        try:
            index = cls(document["threshold"], document["num_perm"], document["seed"])
            if list(index.params) != document["params"]:
                raise ValueError(f"dedup index has bands {document['params']}, expected {list(index.params)}")
            for key, text in document["texts"]:
                index.add(key, text)
        except (KeyError, TypeError) as error:
            raise ValueError(f"damaged dedup index: {error!r}") from error
        return index

    def _tables(self) -> MinHashLSH:
        if self._lsh is None:
            from datasketch import MinHashLSH

            # A given basename keeps datasketch from drawing one at random.
            lsh = MinHashLSH(
                threshold=self.threshold,
                num_perm=self.num_perm,
                params=self.params,
                storage_config={"type": "dict", "basename": b"forge"},
                hashfunc=_bucket_hash,
            )
            lsh.hashtables = [_Buckets() for _ in lsh.hashtables]
            lsh.keys = _NoKeys()
            self._lsh = lsh
        return self._lsh

    def _minhash(self, items: frozenset[str]) -> MinHash:
        if self._blank is None:
            from datasketch import MinHash

            self._blank = MinHash(num_perm=self.num_perm, seed=self.seed, hashfunc=zlib.crc32, scheme=_MINHASH_SCHEME)
        minhash = self._blank.copy()
        minhash.update_batch([item.encode("utf-8", "surrogatepass") for item in items])
        return minhash
