"""difflib's similarity of two texts, to the last character and some tens of times as fast. Pure.

It owns no threshold and knows nothing of pairs.
"""

from __future__ import annotations

from rapidfuzz.distance import Postfix, Prefix

# A shared beginning or end of at least one character in so many makes anchors quicker than the search by growth.
_SHARE = 6
_SHORT = 24


def ratio(a: str, b: str) -> float:
    """Return `SequenceMatcher(None, a, b, autojunk=False).ratio()`: 2M / (|a| + |b|), in 0..1; 1.0 for two empty texts.

    The number depends on the order of the texts: M is what Ratcliff and Obershelp's recursion finds, not the longest
    common subsequence, which bounds it from above.
    """
    total = len(a) + len(b)
    return 2.0 * matched(a, b) / total if total else 1.0


def matched(a: str, b: str) -> int:
    """Return M, the characters in difflib's matching blocks: of the longest, then left and right of it, and so on.

    A common beginning and end may not simply be cut off first. Of "abaa" and "aaa" that leaves "b" and nothing, so
    M = 3; but difflib takes the last "aa" of one and the first of the other, which leaves nothing to match: M = 2.
    """
    if a == b:
        return len(a)
    total = 0
    parts = [(a, b)] if a and b else []
    while parts:
        a, b = parts.pop()
        if len(a) == 1 or len(b) == 1:
            total += a in b or b in a
            continue
        i, j, size = longest(a, b)
        if not size:
            continue
        total += size
        if i and j:
            parts.append((a[:i], b[:j]))
        if i + size < len(a) and j + size < len(b):
            parts.append((a[i + size :], b[j + size :]))
    return total


def longest(a: str, b: str) -> tuple[int, int, int]:
    """Return (i, j, size) of the longest block a[i:i+size] == b[j:j+size]; size 0 when the texts share no character.

    Of several it is the one that begins first in a, and of those the one that begins first in b, as in difflib.
    """
    shorter = min(len(a), len(b))
    if shorter > _SHORT:
        known = max(Prefix.similarity(a, b), Postfix.similarity(a, b))
        if known == shorter:
            return (0, b.find(a), known) if len(a) == shorter else (a.find(b), 0, known)
        if known * _SHARE >= len(a):
            return _anchored(a, b, known)
    return _grown(a, b)


def _anchored(a: str, b: str, known: int) -> tuple[int, int, int]:
    """Find the longest block when it has at least `known` characters.

    Every stretch of that length in a holds, whole, one of the pieces of half its length into which a is cut. So each
    block worth having is found by looking the pieces up in b and extending what is found to both sides.
    """
    piece = (known + 1) // 2
    best = (0, 0, 0)
    for start in range(0, len(a) - piece + 1, piece):
        end = start + piece
        anchor = a[start:end]
        at = b.find(anchor)
        while at >= 0:
            before = Postfix.similarity(a[:start], b[:at])
            size = before + piece + Prefix.similarity(a[end:], b[at + piece :])
            if (-size, start - before, at - before) < (-best[2], best[0], best[1]):
                best = (start - before, at - before, size)
            at = b.find(anchor, at + 1)
    return best


def _grown(a: str, b: str) -> tuple[int, int, int]:
    """Find the longest block by asking at every place of a for one character more than the best so far."""
    length = len(a)
    first = size = start = 0
    while (end := start + size + 1) <= length:
        if a[start:end] in b:
            first = start
            while end < length and a[start : end + 1] in b:
                end += 1
            size = end - start
        start += 1
    return first, b.find(a[first : first + size]), size
