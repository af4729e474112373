"""Builds the second text of a minimal pair by exact edits, and measures how far apart two texts are.

It never guesses: a phrase that does not occur exactly once is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forge.text.fuzzy import difflib_ratio, indel_similarity
from forge.text.lexicon import phrase_pattern

_CLOSING = frozenset(',.;:!?)]}"”’…')


class EditSpan(NamedTuple):
    """White-space tokens a_start..a_end of the first text became b_start..b_end of the second; ends exclusive."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


@dataclass(frozen=True, slots=True)
class PairEdits:
    """How two texts differ.

    Attributes:
        words: absolute difference of the numbers of white-space words.
        token_edits: Levenshtein distance on white-space tokens; a substitution is one edit.
        spans: the stretches that differ, in order.
        indel: normalised insert-delete similarity on characters, 0..1.
        difflib: difflib's ratio on characters, 0..1.
    """

    words: int
    token_edits: int
    spans: tuple[EditSpan, ...]
    indel: float
    difflib: float

    @property
    def similarity(self) -> float:
        """The lower of the two similarities, 0..1."""
        return min(self.indel, self.difflib)


def compare(a: str, b: str) -> PairEdits:
    """Measure the pair (a, b)."""
    from rapidfuzz.distance import Levenshtein

    # Numbers instead of words: rapidfuzz would compare words by Python's salted hash.
    numbers: dict[str, int] = {}
    first = [numbers.setdefault(token, len(numbers)) for token in a.split()]
    second = [numbers.setdefault(token, len(numbers)) for token in b.split()]
    spans: list[EditSpan] = []
    for code in Levenshtein.opcodes(first, second):
        if code.tag == "equal":
            continue
        span = EditSpan(code.src_start, code.src_end, code.dest_start, code.dest_end)
        if spans and spans[-1].a_end == span.a_start and spans[-1].b_end == span.b_start:
            span = EditSpan(spans[-1].a_start, span.a_end, spans[-1].b_start, span.b_end)
            spans.pop()
        spans.append(span)
    return PairEdits(
        words=abs(len(first) - len(second)),
        token_edits=Levenshtein.distance(first, second),
        spans=tuple(spans),
        indel=indel_similarity(a, b),
        difflib=difflib_ratio(a, b),
    )


def _capitalised(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _places(text: str, phrase: str) -> list[tuple[int, int, bool]]:
    """Start, end, and whether it is the capital variant, of every occurrence of a whole phrase."""
    phrase = phrase.strip()
    places = [(*match.span(), False) for match in re.finditer(phrase_pattern(phrase), text)]
    capital = _capitalised(phrase)
    if capital != phrase:
        places.extend((*match.span(), True) for match in re.finditer(phrase_pattern(capital), text))
    return sorted(places)


def occurrences(text: str, phrase: str) -> int:
    """How often a whole phrase stands in a text: as written, or with its first letter a capital.

    Space widths, curly quotes and kinds of dash make no difference; "son" is not in "person".

    Raises:
        ValueError: the phrase is empty.
    """
    return len(_places(text, phrase))


def _only_place(text: str, phrase: str) -> tuple[int, int, bool]:
    places = _places(text, phrase)
    if len(places) != 1:
        raise ValueError(f"{phrase!r} must occur exactly once as a whole phrase, it occurs {len(places)} times")
    return places[0]


def apply_edits(text: str, edits: Sequence[tuple[str, str]]) -> str:
    """Replace each `from` by its `to`, all at once, so that no edit sees what another has written.

    A `from` found with a capital first letter gives its capital to `to`.

    Args:
        text: the text to edit.
        edits: pairs (from, to); each `from` must occur exactly once, counted as by `occurrences`.

    Raises:
        ValueError: a `from` is empty or does not occur exactly once (with the count), or two edits overlap.
    """
    places: list[tuple[int, int, str]] = []
    for source, target in edits:
        start, end, capital = _only_place(text, source)
        places.append((start, end, _capitalised(target) if capital else target))
    places.sort()
    pieces: list[str] = []
    position = 0
    for start, end, target in places:
        if start < position:
            raise ValueError(f"two edits overlap at {text[start:end]!r}")
        pieces.extend((text[position:start], target))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def insert_after(text: str, after: str, clause: str) -> str:
    """Insert a clause right behind a phrase.

    The clause's last comma is dropped when punctuation, or the end of the text, follows. A clause that begins with a
    letter or digit gets a space in front.

    Args:
        text: the text to edit.
        after: must occur exactly once, counted as by `occurrences`.
        clause: such as ", which is all open holes,".

    Raises:
        ValueError: `after` is empty, does not occur exactly once (with the count), or is followed by "'s".
    """
    _, end, _ = _only_place(text, after)
    rest = text[end:]
    if re.match(r"['’]s\b", rest):
        raise ValueError(f"no clause can stand between {after!r} and its possessive 's")
    if clause.endswith(",") and (not rest.strip() or rest[0] in _CLOSING):
        clause = clause[:-1]
    gap = " " if clause[:1].isalnum() else ""
    return f"{text[:end]}{gap}{clause}{rest}"
