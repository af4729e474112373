"""The minimal-pair criterion, held over two texts of one item. It builds neither of them."""

from __future__ import annotations

from forge.text.edits import compare

MOST_WORDS = 2
LEAST_SIMILARITY = 0.80
MOST_TOKEN_EDITS = 7
"""The minimal-pair criterion (Core-100, appendix C, rule 2) and the bound on token edits; one span."""


def problem(first: str, second: str, names: str = "trap and control") -> str | None:
    """Why two texts are no minimal pair; None when they are.

    Args:
        first, second: the two texts.
        names: what they are called in the message.
    """
    found = compare(first, second)
    if found.words > MOST_WORDS:
        return f"{names} differ by {found.words} words; at most {MOST_WORDS}"
    if found.similarity < LEAST_SIMILARITY:
        return f"{names} are {found.similarity:.2f} similar; at least {LEAST_SIMILARITY:.2f}"
    if len(found.spans) != 1:
        return f"{names} differ in {len(found.spans)} places; one"
    if found.token_edits > MOST_TOKEN_EDITS:
        return f"{names} need {found.token_edits} token edits; at most {MOST_TOKEN_EDITS}"
    return None
