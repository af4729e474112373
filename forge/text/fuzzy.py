"""Two character-level similarities of a pair of texts, used together by the pair audits."""

from __future__ import annotations

from difflib import SequenceMatcher


def indel_similarity(a: str, b: str) -> float:
    """Normalised insert-delete similarity, 1 - d / (|a| + |b|), in 0..1 (rapidfuzz); 1.0 for two empty texts."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(a, b))


def difflib_ratio(a: str, b: str) -> float:
    """difflib's ratio 2M / (|a| + |b|), in 0..1, with the "popular characters" heuristic off.

    With it on, characters above 1 % of a text of 200 or more are ignored, and near-equal texts score near zero.
    """
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
