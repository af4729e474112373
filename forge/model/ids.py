"""Content ids: the same content has the same id in every process. No counters, no clock."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def canonical(value: Any) -> bytes:
    """Return canonical JSON bytes: sorted keys, no white space, UTF-8.

    Floats must not reach stored ids in more than one spelling: Python's repr is the shortest that round-trips.

    Raises:
        TypeError: for a value that JSON has no word for.
        ValueError: for NaN or an infinity.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of `value`, 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, 64 hex digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def content_id(prefix: str, content: Mapping[str, Any]) -> str:
    """Return `prefix-` and the first 12 hex digits of the digest: 48 bits, enough for 10^6 items a registry."""
    return f"{prefix}-{digest(dict(content))[:12]}"
