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
_BOX = re.compile(r"\\[({\[)\]}]|\\(?:boxed|text|mathrm|mathbf|textbf|,|;|!| )|[{}]|\$(?!\s?\d)")
"""LaTeX that may stand between a number and what it counts."""
_HOURS = {word: hour for hour, word in enumerate(
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
)}  # fmt: skip
_MINUTES = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25}
_TEENS = (
    "eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
    "|(?:twenty|thirty|forty|fifty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
)
_CLOCK_WORDS = re.compile(
    rf"(?<![^\W_])(?:(?P<minutes>(?:a )?quarter|half|five|ten|{_TEENS}|\d{{1,2}})(?: minutes?| mins?)?"
    rf" (?P<way>past|to|before|after) (?P<hour>\d{{1,2}}|{'|'.join(_HOURS)})"
    rf"|(?P<hour2>{'|'.join(_HOURS)}) (?P<minutes2>{_TEENS}))(?![^\W_])(?![:.]\d)",
    re.IGNORECASE,
)
_DAY_MONTH = re.compile(
    r"(?:the )?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?P<month>[a-z]{3,9})"
    r"|(?P<month2>january|february|march|april|may|june|july|august|september|october|november|december)"
    r" (?:the )?(?P<day2>\d{1,2})(?:st|nd|rd|th)?)",
    re.IGNORECASE,
)
_MONTHS = frozenset(
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december"]
)  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_HALF_DAY = 12 * 60
_CONCLUDES = re.compile(
    r"(?<![^\W_])(?:so|need|needs|buy|fetch|order|get|gets|take|takes|makes?|is|are|allow|total|answer|therefore|hence"
    r"|thus|do|have|will|you'll|gives|start)(?![^\W_])[^.!?\d]*$|[=:→{*]\s*$",
    re.IGNORECASE,
)
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


def _date(term: str) -> re.Pattern[str] | None:
    """A day and a month in either order, the day as a number or a spelled ordinal; None for any other term."""
    match = _DAY_MONTH.fullmatch(term.strip())
    if match is None or (match["month"] or match["month2"]).lower() not in _MONTHS:
        return None
    day, month = int(match["day"] or match["day2"]), match["month"] or match["month2"]
    spelled = [_ORDINALS[day - 1].replace(" ", "[ -]")] if day <= len(_ORDINALS) else []
    days = "|".join([rf"{day}(?:st|nd|rd|th)?", *spelled])
    return re.compile(
        rf"{_FRONT}(?:(?:{days})(?: day)?(?: of)? {month}|{month} (?:the )?(?:{days})){_BACK}", re.IGNORECASE
    )


def _compiled(term: str) -> _Term:
    """A term that is one number, with a noun or without, is matched by value; any other as a phrase."""
    date = _date(term)
    if date is not None:
        return _Term(term, None, (), date)
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
        text = _BOX.sub(lambda match: " " * len(match.group()), text)
        numbers = find_numbers(text)
        found: list[Found] = []
        for term in self._terms:
            if term.pattern is not None:
                found.extend(
                    Found(term.term, match.group(), match.start(), match.end()) for match in term.pattern.finditer(text)
                )
            elif term.number is not None:
                found.extend(self._by_value(text, term, term.number, numbers))
                if term.number.kind is NumberKind.CLOCK:
                    found.extend(_spelled_clocks(text, term))
        return tuple(sorted(found, key=lambda hit: (hit.start, -hit.end)))

    def concluded(self, text: str) -> tuple[Found, ...]:
        """A result that an answer ends with, its noun standing elsewhere: "two rolls are too few, so buy three".

        For a reader that knows which result is right: as a sign of work it would be too weak.
        """
        numbers = find_numbers(text)
        if not numbers:
            return ()
        last = numbers[-1]
        words = {_stem(match.group()) for match in _WORD.finditer(text)}
        line = text[max(text.rfind("\n", 0, last.start), text.rfind(". ", 0, last.start)) + 1 : last.start]
        for term in self._terms:
            wanted = term.number
            if wanted is None or last.value != wanted.value or last.unit not in (None, wanted.unit):
                continue
            if (not term.nouns or term.nouns[0] in words) and _CONCLUDES.search(line):
                return (Found(term.term, last.text, last.start, last.end),)
        first = numbers[0]
        for term in self._terms:
            opens = not text[: first.start].strip(" *_#\n") and re.match(r"[*_]*\s*[.!,:;(–—-]", text[first.end :])
            same = term.number is not None and first.value == term.number.value and first.unit == term.number.unit
            if opens and same and (not term.nouns or term.nouns[0] in words):
                return (Found(term.term, first.text, first.start, first.end),)
        return ()

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


def _spelled_clocks(text: str, term: _Term) -> Iterable[Found]:
    """A clock time in words: "quarter to 4", "twenty-five past five", "ten to 11"."""
    if term.number is None:
        return
    for match in _CLOCK_WORDS.finditer(text):
        minutes = _clock_minutes(match)
        if minutes is not None and (term.number.value - minutes) % _HALF_DAY == 0:
            yield Found(term.term, match.group(), match.start(), match.end())


def _clock_minutes(match: re.Match[str]) -> int | None:
    named = (match["minutes"] or match["minutes2"]).lower().replace("-", " ").removeprefix("a ")
    hour_name = (match["hour"] or match["hour2"]).lower()
    hour = int(hour_name) if hour_name.isdecimal() else _HOURS.get(hour_name)
    spelled = find_numbers(named)
    minutes = _MINUTES.get(named) or (int(spelled[0].value) if len(spelled) == 1 else None)
    if hour is None or minutes is None or not 0 < hour <= 24 or not 0 < minutes < 60:
        return None
    if match["hour2"] is not None and minutes < 10:
        return None
    return 60 * hour + (-minutes if match["way"] and match["way"].lower() in ("to", "before") else minutes)


def _same(wanted: Number, number: Number) -> bool:
    """Equal values with the wanted unit: a wanted "48 minutes" is no bare 48, but a bare 382.80 is $382.80."""
    if same_number(wanted, number):
        return wanted.unit is None or number.unit is not None or wanted.kind in (NumberKind.MONEY, NumberKind.CLOCK)
    if wanted.value >= 1000 and number.value * 1000 == wanted.value and re.search(r"\d\.\d{3}(?!\d)", number.text):
        return number.kind is NumberKind.MONEY and wanted.unit in (None, number.unit)  # "€1.890" on the Continent
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
