"""Character shingles of a normalised text and the exact Jaccard similarity of two shingle sets."""

from __future__ import annotations

from forge.text.normalise import normalise

ALPHABETIC_SIZE = 5
CJK_SIZE = 1

_CJK_RANGES = (
    (0x1100, 0x11FF),  # Hangul Jamo
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3130, 0x318F),  # Hangul compatibility Jamo
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xAC00, 0xD7AF),  # Hangul syllables
    (0xF900, 0xFAFF),  # Han compatibility
    (0x20000, 0x3FFFF),  # Han extensions B and later
)


def _is_cjk(character: str) -> bool:
    code = ord(character)
    return code >= 0x1100 and any(low <= code <= high for low, high in _CJK_RANGES)


def shingle_size(text: str) -> int:
    """Characters per shingle: 1 when most letters are Chinese, Japanese or Korean (as in SaliTrap), else 5."""
    if text.isascii() or max(text) < "\u1100":
        return ALPHABETIC_SIZE
    letters = [character for character in text if character.isalpha()]
    return CJK_SIZE if 2 * sum(map(_is_cjk, letters)) > len(letters) else ALPHABETIC_SIZE


def shingles(text: str, k: int | None = None) -> frozenset[str]:
    """Set of all k-character substrings of the normalised text, numerals folded to one placeholder.

    Args:
        text: any text; normalised here, so a text and its normal form have the same shingles.
        k: characters per shingle; by default `shingle_size` of the normalised text.

    Returns:
        The shingles. A text shorter than k is one shingle; an empty one has none. With k = 1 spaces are left out:
        they say nothing in scripts that do not use them.

    Raises:
        ValueError: k is below 1.
    """
    return shingles_of(normalise(text), k)


def shingles_of(normal: str, k: int | None = None) -> frozenset[str]:
    """`shingles` of a text that is already in normal form.

    Raises:
        ValueError: k is below 1.
    """
    if k is not None and k < 1:
        raise ValueError(f"shingle size must be at least 1, got {k}")
    if not normal:
        return frozenset()
    size = shingle_size(normal) if k is None else k
    if size == 1:
        return frozenset(normal) - {" "}
    if len(normal) <= size:
        return frozenset((normal,))
    return frozenset([normal[i : i + size] for i in range(len(normal) - size + 1)])


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """|a ∩ b| / |a ∪ b|, in 0..1; two empty sets are equal, so 1.0."""
    shared = len(a & b)
    union = len(a) + len(b) - shared
    return shared / union if union else 1.0


def similarity(a: str, b: str) -> float:
    """Exact Jaccard similarity of the shingle sets of two texts, in 0..1, each text with its own shingle size."""
    return jaccard(shingles(a), shingles(b))
