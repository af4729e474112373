"""What the index needs of many texts at once: distinct shingles counted, MinHash band keys, bitmaps. Vectorised.

It keeps nothing, and gives the same numbers in every process and for every way to cut the texts into batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from forge.text.shingles import ALPHABETIC_SIZE, CJK_SIZE, shingle_size

U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
Ints = NDArray[np.int64]

BITMAP_WORDS = 4
_BITS = 64 * BITMAP_WORDS
# Bits between the characters of a shingle's code. Below U+1000 no two shingles share a code.
_STEP = 12
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(0xFF51AFD7ED558CCD)
_HIGH = np.uint64(32)
_EMPTY = np.uint32(0xFFFFFFFF)
# Shingles per block: with its products it stays in a core's own cache.
_BLOCK = 1 << 15
_FEW = 2048


@dataclass(frozen=True, slots=True)
class Prepared:
    """n texts, ready to be looked up and indexed.

    Attributes:
        normals: the normal forms, UTF-8.
        sizes: (n,) distinct shingles of each, exactly.
        bitmaps: (n, 4) for each of 256 bits, whether an odd number of distinct shingles fall on it.
        keys: (n, bands) one hash for each band of the MinHash signature.
    """

    normals: tuple[bytes, ...]
    sizes: U32
    bitmaps: U64
    keys: U32

    def __len__(self) -> int:
        return len(self.normals)

    def take(self, chosen: Sequence[int]) -> Prepared:
        """The texts at these positions, in this order."""
        at = np.asarray(chosen, dtype=np.int64)
        return Prepared(tuple(self.normals[i] for i in chosen), self.sizes[at], self.bitmaps[at], self.keys[at])


def mix(values: U64) -> U64:
    """Spread 64-bit numbers over 64 bits: the finaliser of splitmix64, a bijection (Steele, Lea, Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class Signer:
    """Signs texts: MinHash (Broder 1997) over character shingles, cut into bands (Leskovec, Rajaraman, Ullman, Mining
    of Massive Datasets, 3.3-3.4).

    A permutation is h → a·h + b mod 2³² with a odd, which is a bijection, on hashes that were mixed before.

    Args:
        bands: keys per text.
        rows: permutations per key.
        seed: of the permutations.
    """

    def __init__(self, bands: int, rows: int, seed: int) -> None:
        self.bands, self.rows, self.seed = bands, rows, seed
        count = bands * rows
        origin = mix(np.array([seed % 2**64], dtype=np.uint64))
        drawn = (mix(np.arange(1, 2 * count + 1, dtype=np.uint64) * _GOLDEN + origin) >> _HIGH).astype(np.uint32)
        self._a: U32 = drawn[:count] | np.uint32(1)
        self._b: U32 = drawn[count:]
        self._origins: U64 = mix(np.arange(bands, dtype=np.uint64) * _GOLDEN ^ origin)

    def prepare(self, normals: Sequence[str]) -> Prepared:
        """Sign texts that are already in normal form.

        Args:
            normals: n texts, each as `normalise` gives it.
        """
        count = len(normals)
        sizes = np.zeros(count, dtype=np.uint32)
        bitmaps = np.zeros((count, BITMAP_WORDS), dtype=np.uint64)
        keys = np.zeros((count, self.bands), dtype=np.uint32)
        by_size: dict[int, list[int]] = {ALPHABETIC_SIZE: [], CJK_SIZE: []}
        for position, normal in enumerate(normals):
            by_size[shingle_size(normal)].append(position)
        for k, positions in by_size.items():
            if positions:
                hashes, counts = _hashes([normals[i] for i in positions], k)
                sizes[positions] = counts
                bitmaps[positions] = _bitmaps(hashes, counts)
                keys[positions] = self._keys((hashes >> _HIGH).astype(np.uint32), counts)
        return Prepared(tuple(normal.encode("utf-8") for normal in normals), sizes, bitmaps, keys)

    def _keys(self, hashes: U32, counts: Ints) -> U32:
        """(n, bands) keys of n texts, whose hashed shingles follow one another."""
        least = self._least(hashes, counts).reshape(self.bands, self.rows, len(counts))
        folded = np.repeat(self._origins[:, None], len(counts), axis=1)
        for row in range(self.rows):
            folded = (folded ^ least[:, row]) * _FOLD
            folded ^= folded >> np.uint64(29)
        return np.ascontiguousarray((mix(folded) >> _HIGH).astype(np.uint32).T)

    def _least(self, hashes: U32, counts: Ints) -> U32:
        """(permutations, n) MinHash signatures; a text without shingles has the greatest value everywhere."""
        full = np.flatnonzero(counts)
        ends = np.cumsum(counts[full])
        starts = ends - counts[full]
        least = np.full((len(self._a), len(full)), _EMPTY, dtype=np.uint32)
        first = 0
        while first < len(full):
            last = max(int(np.searchsorted(ends, starts[first] + _BLOCK, side="right")), first + 1)
            block = hashes[starts[first] : ends[last - 1]]
            at = starts[first:last] - starts[first]
            if len(block) <= _FEW:
                least[:, first:last] = np.minimum.reduceat(
                    block[None, :] * self._a[:, None] + self._b[:, None], at, axis=1
                )
            else:
                moved = np.empty_like(block)
                for number in range(len(self._a)):
                    np.multiply(block, self._a[number], out=moved)
                    np.add(moved, self._b[number], out=moved)
                    np.minimum.reduceat(moved, at, out=least[number, first:last])
            first = last
        if len(full) == len(counts):
            return least
        whole = np.full((len(self._a), len(counts)), _EMPTY, dtype=np.uint32)
        whole[:, full] = least
        return whole


def _bitmaps(hashes: U64, counts: Ints) -> U64:
    """(n, 4) parities of the distinct shingles on each of 256 bits: two sets differ in at least as many shingles as
    their bitmaps differ in bits (Sandes, Teodoro, Melo 2020)."""
    owner = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    cells = np.bincount(owner * _BITS + (hashes & np.uint64(_BITS - 1)).astype(np.int64), minlength=len(counts) * _BITS)
    packed = np.packbits((cells & 1).astype(np.uint8).reshape(len(counts), _BITS), axis=1)
    return packed.view("<u8").astype(np.uint64)


@dataclass(frozen=True, slots=True)
class Shingles:
    """The distinct shingles of n texts, told apart exactly.

    Attributes:
        packed: sorted; the number of the text, and below `bits` bits for each character of the shingle.
        alphabet: the characters, by their numbers.
    """

    packed: U64
    bits: int
    k: int
    alphabet: U64

    @property
    def width(self) -> int:
        """Bits of a shingle."""
        return self.bits * self.k

    def counts(self, texts: int) -> Ints:
        """(n,) how many each text has."""
        # One text alone may fill all 64 bits.
        text = (self.packed >> np.uint64(self.width)).astype(np.int64) if texts > 1 else np.zeros(len(self.packed), int)
        return np.bincount(text, minlength=texts)


def distinct(normals: Sequence[str], k: int) -> Shingles | None:
    """Find the distinct shingles of n texts in normal form that have this shingle size.

    Characters are numbered within the batch, so that k of them and the number of their text fit 64 bits.

    Returns:
        None where they do not, for want of fewer texts or fewer characters.
    """
    points, starts, owner = _windows(normals, k)
    seen = np.zeros(int(points.max()) + 1, dtype=np.bool_)
    seen[points] = True
    alphabet = np.flatnonzero(seen).astype(np.uint64)
    bits = max((len(alphabet) - 1).bit_length(), 1)
    if k * bits + (len(normals) - 1).bit_length() > 64:
        return None
    number = np.zeros(len(seen), dtype=np.uint64)
    number[seen] = np.arange(len(alphabet), dtype=np.uint64)
    dense = number[points]
    packed = owner.astype(np.uint64) << np.uint64(k * bits) if len(normals) > 1 else np.zeros(len(owner), np.uint64)
    for place in range(k):
        packed |= dense[starts + place] << np.uint64(place * bits)
    packed.sort()
    packed = packed[np.concatenate(([True], packed[1:] != packed[:-1]))] if len(packed) else packed
    return Shingles(packed, bits, k, alphabet)


def _windows(normals: Sequence[str], k: int) -> tuple[U32, Ints, Ints]:
    """Code points of all texts, where their shingles begin, and whose each is."""
    # The gap ends every window that begins in a text; a normal form holds no U+0000, so a short text stays apart.
    gap = "\0" * (ALPHABETIC_SIZE - 1)
    points = np.frombuffer((gap.join(normals) + gap).encode("utf-32-le"), dtype="<u4")
    lengths = np.fromiter(map(len, normals), dtype=np.int64, count=len(normals))
    begins = np.cumsum(lengths + len(gap)) - lengths - len(gap)
    windows = lengths if k == 1 else np.minimum(np.maximum(lengths - k + 1, 1), lengths)
    owner = np.repeat(np.arange(len(normals), dtype=np.int64), windows)
    starts = np.repeat(begins - np.cumsum(windows) + windows, windows) + np.arange(len(owner), dtype=np.int64)
    if k == 1:
        kept = points[starts] != ord(" ")
        owner, starts = owner[kept], starts[kept]
    return points, starts, owner


def _hashes(normals: Sequence[str], k: int) -> tuple[U64, Ints]:
    """Hashes of the distinct shingles of each text, text after text, and (n,) how many each has."""
    found = distinct(normals, k)
    if found is not None:
        codes = np.zeros(len(found.packed), dtype=np.uint64)
        low = np.uint64((1 << found.bits) - 1)
        for place in range(k):
            character = found.alphabet[(found.packed >> np.uint64(place * found.bits)) & low]
            codes += character << np.uint64(place * _STEP)
        return mix(codes), found.counts(len(normals))
    if len(normals) > 1:
        middle = len(normals) // 2
        left, right = _hashes(normals[:middle], k), _hashes(normals[middle:], k)
        return np.concatenate((left[0], right[0])), np.concatenate((left[1], right[1]))
    points, starts, _ = _windows(normals, k)
    shapes = np.unique(points[starts[:, None] + np.arange(k)], axis=0).astype(np.uint64)
    codes = (shapes << (np.arange(k, dtype=np.uint64) * np.uint64(_STEP))).sum(axis=1, dtype=np.uint64)
    return mix(codes), np.array([len(shapes)], dtype=np.int64)
