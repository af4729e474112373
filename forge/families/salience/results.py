"""Finds the results of a sum in an answer, however they are written: "48 minutes", "48 min", "forty-eight minutes".

Standard library only, because exported readers ship it. It knows nothing of traps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from forge.text.numbers import Number, NumberKind, find_numbers, same_number

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST_BETWEEN = 2
"""Words that may stand between a number and what it counts: "3 round trips", "3 separate trips"."""
_BETWEEN = re.compile(r"[\s*_`~()\[\]-]*")
_SIGN = re.compile(r"[:=≈→][\s*_`~≈$£€(]*$")
_TELLING_VALUE = 10
"""Below it a bare number behind an equals sign may be anything."""
_FRONT = r"(?<![^\W_])"
_BACK = r"(?![^\W_])"


class Found(NamedTuple):
    """A result as it stands in a text: `whole[start:end] == text`."""

    term: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Term:
    term: str
    number: Number | None
    nouns: tuple[str, ...]
    pattern: re.Pattern[str] | None


def _stem(word: str) -> str:
    lower = word.lower()
    if len(lower) > 4 and lower.endswith("ies"):
        return lower[:-3] + "y"
    if len(lower) > 4 and lower.endswith(("ches", "shes", "xes", "sses")):
        return lower[:-2]
    if len(lower) > 3 and lower.endswith("s") and not lower.endswith("ss"):
        return lower[:-1]
    return lower


def _compiled(term: str) -> _Term:
    """A term that is one number, with a noun or without, is matched by value; any other as a phrase."""
    numbers = find_numbers(term)
    if len(numbers) == 1:
        number = numbers[0]
        before, after = term[: number.start].strip(" ~≈$£€"), term[number.end :].strip()
        nouns = tuple(_stem(match.group()) for match in _WORD.finditer(after))
        if not before and not re.search(r"\d", after):
            return _Term(term, number, nouns, None)
    pieces = [re.escape(piece) for piece in re.split(r"[\s\-–—]+", term.strip()) if piece]
    gap = r"[\s*_`\-–—]*" if re.search(r"\d", term) else r"[\s*_`\-–—]+"
    return _Term(term, None, (), re.compile(_FRONT + gap.join(pieces) + _BACK, re.IGNORECASE))


class Results:
    """A list of ways to write results, ready to be found in answers."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = tuple(_compiled(term) for term in terms if term.strip())

    def find(self, text: str) -> tuple[Found, ...]:
        """All results in a text, in order of their start.

        A number matches whatever its spelling when value and unit do; a noun behind it ("3 trips") must follow within
        two words, singular or plural. A bare number ("382.80") matches money of that value too.
        """
        numbers = find_numbers(text)
        found: list[Found] = []
        for term in self._terms:
            if term.pattern is not None:
                found.extend(
                    Found(term.term, match.group(), match.start(), match.end()) for match in term.pattern.finditer(text)
                )
            elif term.number is not None:
                found.extend(self._by_value(text, term, term.number, numbers))
        return tuple(sorted(found, key=lambda hit: (hit.start, -hit.end)))

    @staticmethod
    def _by_value(text: str, term: _Term, wanted: Number, numbers: tuple[Number, ...]) -> Iterable[Found]:
        for number in numbers:
            if term.nouns and wanted.unit is None and number.kind is NumberKind.MEASURE:
                continue  # "3 hours of trips" are not 3 trips
            end = _behind(text, number.end, term.nouns) if _same(wanted, number) else None
            if end is None and _stated(text, wanted, number, term.nouns):
                end = number.end
            if end is not None:
                yield Found(term.term, text[number.start : end], number.start, end)


def _same(wanted: Number, number: Number) -> bool:
    """Equal values with the wanted unit: a wanted "48 minutes" is no bare 48, but a bare 382.80 is $382.80."""
    if same_number(wanted, number):
        return wanted.unit is None or number.unit is not None or wanted.kind in (NumberKind.MONEY, NumberKind.CLOCK)
    # "9:36" may be written "9.36": a clock against a decimal with two places.
    clock, other = (wanted, number) if wanted.kind is NumberKind.CLOCK else (number, wanted)
    if clock.kind is not NumberKind.CLOCK or other.kind is NumberKind.CLOCK or other.unit is not None:
        return False
    match = re.fullmatch(r"(\d{1,2})\.(\d{2})", other.text.strip())
    if match is None:
        return False
    minutes = int(match[1]) * 60 + int(match[2])
    return (clock.value - minutes) % (12 * 60) == 0


def _stated(text: str, wanted: Number, number: Number, nouns: tuple[str, ...]) -> bool:
    """Whether a number without its noun or unit is set down as the result: "Trips: 3", "12 / 4 = 3", "3 × 16 = 48".

    A noun must stand before it in the same line; for a unit the equals sign is enough from 10 on.
    """
    if number.value != wanted.value or number.unit not in (None, wanted.unit):
        return False
    line = text[text.rfind("\n", 0, number.start) + 1 : number.start]
    if not _SIGN.search(line):
        return False
    if nouns:
        return nouns[0] in {_stem(match.group()) for match in _WORD.finditer(line)}
    return wanted.unit is not None and wanted.value >= _TELLING_VALUE and line.rstrip(" *_`$£€~≈").endswith("=")


def _behind(text: str, end: int, nouns: tuple[str, ...]) -> int | None:
    """Where the nouns that belong to a number end, or None when other words stand there."""
    position, skipped = end, 0
    for index, noun in enumerate(nouns):
        while True:
            gap = _BETWEEN.match(text, position)
            start = gap.end() if gap else position
            match = _WORD.match(text, start)
            if match is None:
                return None
            position = match.end()
            if _stem(match.group()) == noun:
                break
            skipped += 1
            if index or skipped > _MOST_BETWEEN:
                return None
    return position
