"""Audits the clauses of a quartet from its texts alone: matched in length, place and shape, with nothing else changed.

The rules are Core-100's (appendix C, rules 3 to 5): both clauses stand in one place, have one build and about one
length, and the texts around them are the pair's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum

WORDS_APART = 1
LENGTH_APART = 0.25
CLAUSES = ("explicit", "salience_control")
CRITERIA = ("added", "place", "words", "length", "shape")
"""Each clause only adds; both stand in one place; ≤ 1 word and ≤ 25 % of characters apart; both begin and end alike."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """How two clauses of one scenario compare.

    Attributes:
        explicit, control: what each adds to the text; None where it does more, or nothing.
        words: difference of their numbers of words; None where one is not known.
        length: difference of their characters, as a share of the longer one, 0..1.
        met: the criteria that hold.
        reasons: what does not hold, in words, with condition, value and limit.
    """

    explicit: str | None
    control: str | None
    words: int | None
    length: float | None
    met: frozenset[str]
    reasons: tuple[str, ...]


def clauses(base: str, explicit: str, control: str) -> Clauses:
    """Compare the clauses that two versions add to a text.

    Args:
        base: the text without a clause.
        explicit, control: the text with the clause that tells, and with the one that matters for nothing.
    """
    found = [_added(base, text) for text in (explicit, control)]
    reasons = [
        f"{name}: changes more than one clause's place" for name, one in zip(CLAUSES, found, strict=True) if one is None
    ]
    first, second = found
    if first is None or second is None:
        return Clauses(None, None, None, None, frozenset(), tuple(reasons))
    (place, told), (other, idle) = first, second
    words = abs(len(told.split()) - len(idle.split()))
    length = abs(len(told) - len(idle)) / max(len(told), len(idle))
    met = {"added"}
    checks = (
        ("place", place == other, f"its clause stands at character {other}, the explicit one at {place}; one place"),
        ("words", words <= WORDS_APART, f"{words} words longer or shorter than the explicit clause; at most 1"),
        ("length", length <= LENGTH_APART, f"{100 * length:.0f} % longer or shorter in characters; at most 25 %"),
        ("shape", _shape(told) == _shape(idle), f"{idle!r} begins or ends in another way than {told!r}"),
    )
    for name, holds, reason in checks:
        if holds:
            met.add(name)
        else:
            reasons.append(f"salience_control: {reason}")
    return Clauses(told, idle, words, length, frozenset(met), tuple(reasons))


def _added(base: str, text: str) -> tuple[int, str] | None:
    """Return where a text adds one stretch to another, and what; None when it does anything else."""
    extra = len(text) - len(base)
    if extra <= 0:
        return None
    start = next((at for at, (one, two) in enumerate(zip(base, text, strict=False)) if one != two), len(base))
    # The stretch may begin as the text goes on (", a, b"): the earliest reading at a word's end is the clause.
    for at in range(start, -1, -1):
        if text[at + extra :] == base[at:] and text[at] in ",;( ":
            return at, text[at : at + extra]
    return (start, text[start : start + extra]) if text[start + extra :] == base[start:] else None


def _shape(clause: str) -> tuple[str, bool]:
    """The mark in front of a clause, and whether it ends in a word."""
    return clause[:1], clause[-1:].isalnum()


@dataclass(frozen=True, slots=True)
class ClauseSummary:
    """Many scenarios' clauses.

    Attributes:
        n: scenarios that have both.
        words, length: mean and greatest difference; None for n 0.
        met: criterion → scenarios that meet it; `all` for all five.
    """

    n: int
    words: tuple[float, int] | None
    length: tuple[float, float] | None
    met: Mapping[str, int]


def summarise(found: Iterable[Clauses]) -> ClauseSummary:
    """Sum up the clauses of many scenarios."""
    rows = list(found)
    words = [one.words for one in rows if one.words is not None]
    length = [one.length for one in rows if one.length is not None]
    met = {name: sum(name in one.met for one in rows) for name in CRITERIA}
    met["all"] = sum(set(CRITERIA) <= one.met for one in rows)
    return ClauseSummary(
        len(rows),
        (fsum(words) / len(words), max(words)) if words else None,
        (fsum(length) / len(length), max(length)) if length else None,
        met,
    )
