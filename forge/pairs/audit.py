"""Measures how minimal pairs of texts are, and says of each why it fails the gate. It reads no file and builds no pair.

The criterion and its table are Core-100's (section 5, "Four conditions"; appendix C, rule 2 and table 11).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from statistics import median
from typing import NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

from forge.pairs import blocks
from forge.text.edits import EditSpan, PairEdits

_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Gate:
    """What a minimal pair may differ by; every bound is included.

    The defaults of the first two are the paper's own criterion (Core-100, appendix C, rule 2). The other two are its
    rule 1, one edit, and the greatest distance among its hundred pairs (table 11).

    Attributes:
        max_words: difference of the numbers of white-space words.
        min_similarity: of characters, 0..1; the lower of indel and difflib counts.
        max_token_edits: Levenshtein distance on white-space tokens.
        max_spans: stretches of tokens that differ; at least one always has to.

    Raises:
        ValueError: a bound that no number can be held against.
    """

    max_words: int = 2
    min_similarity: float = 0.80
    max_token_edits: int = 7
    max_spans: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.min_similarity <= 1:
            raise ValueError(f"a similarity lies in 0..1, not {self.min_similarity}")
        if min(self.max_words, self.max_token_edits, self.max_spans) < 0:
            raise ValueError("a bound is not below 0")


PAPER = Gate()
"""Its first two bounds are the paper's, whatever gate is in force."""

CRITERIA = ("words", "similarity", "token_edits", "spans", "both", "gate", "paper")
"""What a pair may meet: each bound of a gate, the first two of them, all four, and the first two as the paper has them."""


class Failure(NamedTuple):
    """One bound that a pair misses.

    Attributes:
        measure: `words`, `similarity`, `token_edits` or `spans`.
        value: what the pair has.
        limit: what the gate asks for.
        reason: the same in words.
    """

    measure: str
    value: float
    limit: float
    reason: str


class Place(NamedTuple):
    """Where a pair differs: white-space tokens and characters of each text, from 0, ends exclusive.

    A side on which nothing stands has equal bounds: the token before which, and the character at which, the other's
    words would be.
    """

    active_tokens: tuple[int, int]
    removed_tokens: tuple[int, int]
    active_chars: tuple[int, int]
    removed_chars: tuple[int, int]


def measure(active: str, removed: str) -> PairEdits:
    """Return what `forge.text.edits.compare` returns for the pair, in a tenth of the time and less.

    difflib's similarity is never above indel's, as its blocks are one common subsequence and indel counts the longest.
    It may change when the two texts change places, and so may the spans where several alignments cost the same; the
    other numbers do not.
    """
    first, second = active.split(), removed.split()
    token_edits, spans = _token_edits(first, second)
    total = len(active) + len(removed)
    return PairEdits(
        words=abs(len(first) - len(second)),
        token_edits=token_edits,
        spans=spans,
        indel=(total - Indel.distance(active, removed)) / total if total else 1.0,
        difflib=blocks.ratio(active, removed),
    )


def _token_edits(first: list[str], second: list[str]) -> tuple[int, tuple[EditSpan, ...]]:
    """Return the Levenshtein distance of two lists of tokens, and the stretches that differ."""
    head, shorter = 0, min(len(first), len(second))
    while head < shorter and first[head] == second[head]:
        head += 1
    left, right = len(first), len(second)
    while left > head and right > head and first[left - 1] == second[right - 1]:
        left, right = left - 1, right - 1
    if left == head and right == head:
        return 0, ()
    if set(first[head:left]).isdisjoint(second[head:right]):
        return max(left, right) - head, (EditSpan(head, left, head, right),)
    # Numbers instead of words: rapidfuzz would compare words by Python's salted hash.
    numbers: dict[str, int] = {}
    a = [numbers.setdefault(token, len(numbers)) for token in first[head:left]]
    b = [numbers.setdefault(token, len(numbers)) for token in second[head:right]]
    spans: list[EditSpan] = []
    edits = 0
    for code in Levenshtein.opcodes(a, b):
        if code.tag == "equal":
            continue
        edits += max(code.src_end - code.src_start, code.dest_end - code.dest_start)
        span = EditSpan(head + code.src_start, head + code.src_end, head + code.dest_start, head + code.dest_end)
        if spans and spans[-1].a_end == span.a_start and spans[-1].b_end == span.b_start:
            span = EditSpan(spans[-1].a_start, span.a_end, spans[-1].b_start, span.b_end)
            spans.pop()
        spans.append(span)
    return edits, tuple(spans)


def places(active: str, removed: str, edits: PairEdits) -> tuple[Place, ...]:
    """Return where the spans of a pair lie, in tokens and in characters."""
    if not edits.spans:
        return ()
    left, right = _bounds(active), _bounds(removed)
    return tuple(
        Place(
            (span.a_start, span.a_end),
            (span.b_start, span.b_end),
            _stretch(left, span.a_start, span.a_end, len(active)),
            _stretch(right, span.b_start, span.b_end, len(removed)),
        )
        for span in edits.spans
    )


def _bounds(text: str) -> list[tuple[int, int]]:
    """Begin and end of every white-space token."""
    found, at = [], 0
    for token in text.split():
        at = text.index(token, at)
        found.append((at, at + len(token)))
        at += len(token)
    return found


def _stretch(bounds: list[tuple[int, int]], start: int, end: int, length: int) -> tuple[int, int]:
    if start < end:
        return bounds[start][0], bounds[end - 1][1]
    at = bounds[start][0] if start < len(bounds) else length
    return at, at


def failures(edits: PairEdits, gate: Gate) -> tuple[Failure, ...]:
    """Return every bound of the gate that a pair misses, in the order of the gate; none when it passes.

    A pair in which no token differs is no pair, and fails by its spans.
    """
    found = []
    if edits.words > gate.max_words:
        reason = f"the numbers of words differ by {edits.words}; at most {gate.max_words}"
        found.append(Failure("words", edits.words, gate.max_words, reason))
    if edits.similarity < gate.min_similarity:
        value, limit = _apart(edits.similarity, gate.min_similarity)
        reason = f"the characters are {value} similar; at least {limit}"
        found.append(Failure("similarity", edits.similarity, gate.min_similarity, reason))
    spans = len(edits.spans)
    if not spans:
        found.append(Failure("spans", 0, 1, "no word differs; at least one place has to"))
    elif spans > gate.max_spans:
        reason = f"the texts differ in {spans} places; at most {gate.max_spans}"
        found.append(Failure("spans", spans, gate.max_spans, reason))
    if edits.token_edits > gate.max_token_edits:
        reason = f"it takes {edits.token_edits} token edits; at most {gate.max_token_edits}"
        found.append(Failure("token_edits", edits.token_edits, gate.max_token_edits, reason))
    return tuple(found)


def _apart(value: float, limit: float) -> tuple[str, str]:
    """Write two different numbers with as many digits as it takes to see that they differ, two at least."""
    digits = 2
    while digits < _MOST_DIGITS and f"{value:.{digits}f}" == f"{limit:.{digits}f}":
        digits += 1
    return f"{value:.{digits}f}", f"{limit:.{digits}f}"


@dataclass(frozen=True, slots=True)
class Figures:
    """Mean and worst of one measure over n pairs: the greatest, or of a similarity the least. None when n is 0."""

    mean: float | None
    worst: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """What many pairs come to, as in Core-100's table 11.

    Attributes:
        n: how many pairs.
        words, indel, difflib, similarity, token_edits, spans: mean and worst; similarity is the lower of the two.
        median_token_edits: None when n is 0.
        met: criterion of CRITERIA → how many pairs meet it.
    """

    n: int
    words: Figures
    indel: Figures
    difflib: Figures
    similarity: Figures
    token_edits: Figures
    spans: Figures
    median_token_edits: float | None
    met: Mapping[str, int]

    def share(self, criterion: str) -> float | None:
        """Return the share of pairs that meet a criterion of `met`, 0..1; None when there are none."""
        return self.met[criterion] / self.n if self.n else None


@dataclass(slots=True)
class Tally:
    """Sums over pairs, one at a time, so that any number of them can be summarised without holding their texts."""

    gate: Gate
    n: int = 0
    _words: Counter[int] = field(default_factory=Counter)
    _edits: Counter[int] = field(default_factory=Counter)
    _spans: Counter[int] = field(default_factory=Counter)
    _indel: array[float] = field(default_factory=lambda: array("d"))
    _difflib: array[float] = field(default_factory=lambda: array("d"))
    _similarity: array[float] = field(default_factory=lambda: array("d"))
    _missed: Counter[str] = field(default_factory=Counter)

    def add(self, edits: PairEdits) -> tuple[Failure, ...]:
        """Count one pair, and return the bounds it misses."""
        found = failures(edits, self.gate)
        similarity = edits.similarity
        self.n += 1
        self._words[edits.words] += 1
        self._edits[edits.token_edits] += 1
        self._spans[len(edits.spans)] += 1
        self._indel.append(edits.indel)
        self._difflib.append(edits.difflib)
        self._similarity.append(similarity)
        missed = {one.measure for one in found}
        if found:
            missed.add("gate")
        if "words" in missed or "similarity" in missed:
            missed.add("both")
        if edits.words > PAPER.max_words or similarity < PAPER.min_similarity:
            missed.add("paper")
        self._missed.update(missed)
        return found

    def summary(self) -> Summary:
        """Return what the pairs so far come to."""
        return Summary(
            n=self.n,
            words=self._counted(self._words),
            indel=self._floats(self._indel),
            difflib=self._floats(self._difflib),
            similarity=self._floats(self._similarity),
            token_edits=self._counted(self._edits),
            spans=self._counted(self._spans),
            median_token_edits=median(self._edits.elements()) if self.n else None,
            met={name: self.n - self._missed[name] for name in CRITERIA},
        )

    def _counted(self, counts: Counter[int]) -> Figures:
        if not self.n:
            return Figures(None, None)
        return Figures(sum(value * times for value, times in counts.items()) / self.n, max(counts))

    def _floats(self, values: array[float]) -> Figures:
        return Figures(fsum(values) / self.n, min(values)) if self.n else Figures(None, None)


def summarise(pairs: Iterable[PairEdits], gate: Gate = PAPER) -> Summary:
    """Return what measured pairs come to under a gate."""
    tally = Tally(gate)
    for edits in pairs:
        tally.add(edits)
    return tally.summary()
