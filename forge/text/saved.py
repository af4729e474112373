"""An index as bytes: a JSON line of settings, then its texts and arrays. The texts can be read whatever the settings.

It writes no file, and reads what an earlier version wrote as far as its texts go.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forge.text.rowindex import RowIndex
from forge.text.signatures import BITMAP_WORDS, U32, U64, Prepared

MAGIC = b"forge-dedup\n"
DIGEST_WORDS = 2
_FAST = 1
_DAMAGES = (zlib.error, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True)
class Settings:
    """What decides which pairs an index finds: arrays of other settings say nothing to it."""

    scheme: str
    threshold: float
    num_perm: int
    seed: int
    params: tuple[int, int]

    def differs(self, other: Settings) -> str | None:
        """Name the first setting in which `other` is another, with both values, or None."""
        for name in ("scheme", "threshold", "num_perm", "seed", "params"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                return f"{name} is {theirs!r}, not {ours!r}"
        return None


@dataclass(frozen=True)
class Saved:
    """A saved index of n texts.

    Attributes:
        keys: the texts' names.
        normals: their normal forms, UTF-8.
        digests: (n, 2) digests of the exact forms, zero where none is known.
        arrays: sizes, bitmaps and band keys, or None when an earlier version wrote none.
    """

    settings: Settings
    keys: list[str]
    normals: list[bytes]
    digests: U64
    arrays: tuple[U32, U64, U32] | None

    def prepared(self, begin: int, end: int) -> Prepared:
        """Texts begin..end as they were signed.

        Raises:
            ValueError: an earlier version wrote this, without signatures.
        """
        if self.arrays is None:
            raise ValueError("this index was saved without signatures")
        sizes, bitmaps, keys = self.arrays
        return Prepared(tuple(self.normals[begin:end]), sizes[begin:end], bitmaps[begin:end], keys[begin:end])


def pack(settings: Settings, keys: Iterable[str], index: RowIndex, chosen: NDArray[np.int64], digests: U64) -> bytes:
    """Turn rows of an index into bytes.

    Args:
        keys: the names of the chosen rows.
        chosen: (n,) row numbers.
        digests: (n, 2) of the chosen rows.
    """
    lengths = np.empty(len(chosen), dtype="<u4")
    squeezed = zlib.compressobj(_FAST)
    texts = []
    for position, row in enumerate(chosen.tolist()):
        text = index.texts.get(row)
        lengths[position] = len(text)
        texts.append(squeezed.compress(text))
    texts.append(squeezed.flush())
    parts = {
        "keys": zlib.compress(json.dumps(list(keys)).encode("ascii"), _FAST),
        "texts": b"".join(texts),
        "lengths": lengths.tobytes(),
        "digests": digests.astype("<u8").tobytes(),
        "sizes": index.sizes[chosen].astype("<u4").tobytes(),
        "bitmaps": index.bitmaps[chosen].astype("<u8").tobytes(),
        "bands": index.keys[chosen].astype("<u4").tobytes(),
    }
    document = {
        "scheme": settings.scheme,
        "threshold": settings.threshold,
        "num_perm": settings.num_perm,
        "seed": settings.seed,
        "params": list(settings.params),
        "parts": [[name, len(part)] for name, part in parts.items()],
    }
    return b"".join((MAGIC, json.dumps(document).encode("ascii"), b"\n", *parts.values()))


def unpack(data: bytes) -> Saved:
    """Read what `pack` wrote, or the compressed JSON of the first version.

    Raises:
        ValueError: the bytes are no index, or a damaged one.
    """
    try:
        if not data.startswith(MAGIC):
            return _first_version(json.loads(zlib.decompress(data)))
        end = data.index(b"\n", len(MAGIC))
        return _parts(json.loads(data[len(MAGIC) : end]), memoryview(data)[end + 1 :])
    except _DAMAGES as error:
        raise ValueError(f"not a dedup index, or a damaged one: {error!r}") from error


def _settings(document: Any) -> Settings:
    bands, rows = document["params"]
    threshold, num_perm, seed = document["threshold"], document["num_perm"], document["seed"]
    return Settings(str(document["scheme"]), float(threshold), int(num_perm), int(seed), (int(bands), int(rows)))


def _first_version(document: Any) -> Saved:
    pairs = [(str(key), str(text).encode("utf-8")) for key, text in document["texts"]]
    digests = np.zeros((len(pairs), DIGEST_WORDS), dtype=np.uint64)
    return Saved(_settings(document), [key for key, _ in pairs], [text for _, text in pairs], digests, None)


def _parts(document: Any, body: memoryview) -> Saved:
    parts: dict[str, memoryview] = {}
    begin = 0
    for name, size in document["parts"]:
        parts[name] = body[begin : begin + size]
        begin += size
    if begin != len(body):
        raise ValueError(f"{len(body)} bytes of arrays where {begin} were written")
    settings = _settings(document)
    keys = [str(key) for key in json.loads(zlib.decompress(parts["keys"]))]
    lengths = np.frombuffer(parts["lengths"], dtype="<u4").tolist()
    joined = zlib.decompress(parts["texts"])
    normals = []
    at = 0
    for length in lengths:
        normals.append(joined[at : at + length])
        at += length
    if at != len(joined) or len(keys) != len(normals):
        raise ValueError(f"{len(keys)} names for {len(normals)} texts of {len(joined)} bytes")
    count = len(keys)
    digests = np.frombuffer(parts["digests"], dtype="<u8").reshape(count, DIGEST_WORDS)
    sizes = np.frombuffer(parts["sizes"], dtype="<u4").reshape(count)
    bitmaps = np.frombuffer(parts["bitmaps"], dtype="<u8").reshape(count, BITMAP_WORDS)
    bands = np.frombuffer(parts["bands"], dtype="<u4").reshape(count, settings.params[0])
    return Saved(settings, keys, normals, digests, (sizes, bitmaps, bands))
