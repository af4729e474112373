"""Finds numbers with their units in English text and compares them: what a rewrite kept, what an answer added.

Standard library only, because exported readers ship it. It never converts metres to feet: other numbers are other bait.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from enum import StrEnum

from forge.text.normalise import squash
from forge.text.spelled import HOUR_WORDS, SPELLED_PATTERN, is_pronoun_one, spelled_value
from forge.text.units import (
    CURRENCY_CODES,
    CURRENCY_PREFIXES,
    GLUED_ONLY,
    MONEY_UNITS,
    PERCENT,
    TEMPERATURES,
    UNIT_PATTERN,
    canonical_unit,
    compatible_units,
    in_main_unit,
    is_subunit_of,
)

DAY_CLOCK = "24h"
_MINUTES_PER_HALF_DAY = 12 * 60
_EXACT = Context(prec=28)


class NumberKind(StrEnum):
    """What a number counts."""

    COUNT = "count"
    MONEY = "money"
    CLOCK = "clock"
    PERCENT = "percent"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Number:
    """One number as it stands in a text.

    Attributes:
        text: the stretch of text with currency and unit: "$2.90", "600 m", "9:30 am".
        value: the number itself; for a clock time, minutes since midnight.
        unit: canonical unit, or None. A clock has "24h", or None when morning and evening are open ("9:30").
        kind: count, money, clock, percent or measure.
        start: offset of the first character.
        end: offset after the last character: whole[start:end] == text.
    """

    text: str
    value: Decimal
    unit: str | None
    kind: NumberKind
    start: int
    end: int


_MERIDIEM = r"(?:[ap]\.?\s?m\.(?!\w)|[ap]m(?!\w)|[ap]\.\s?m(?!\w))"
_CLOCK = re.compile(
    rf"""(?<![\w:/$£€])(?<!\d[.,])(?:
      (?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:])(?:\s?(?P<mer1>{_MERIDIEM}))?
    | (?P<hour2>1[0-2]|0?[1-9])(?:\.(?P<minute2>[0-5]\d))?\s?(?P<mer2>{_MERIDIEM})
    | (?P<spelled>{HOUR_WORDS})\s(?P<mer3>{_MERIDIEM})
    | (?P<oclock>1[0-2]|[1-9]|{HOUR_WORDS})\s?o\s?['’]\s?clock(?!\w)(?:\s(?P<mer4>{_MERIDIEM}))?
    | (?:(?:12|twelve)\s)?(?P<word>noon|midday|midnight)(?!\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_PREFIX = (
    "(?P<money>(?:"
    + "|".join(re.escape(sign) for sign in sorted(CURRENCY_PREFIXES, key=len, reverse=True))
    + r")\s?|(?<![^\W_])(?:"
    + "|".join(CURRENCY_CODES)
    + r")\s)"
)
_DIGITS = re.compile(
    rf"""(?:(?<![\w)\]%])(?P<sign>[-−]))?{_PREFIX}?(?P<core>
      (?:(?<!\w)|(?<=\dx))(?<!\d[.])(?:
        \d{{1,3}}(?:\.\d{{3}}){{2,}}(?:,\d+)?(?!\d)
      | \d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)
      | \d{{1,3}}(?:[ \u00a0\u2009\u202f]\d{{3}})+(?:\.\d+)?(?!\d|[.,]\d)
      | \d+(?:\.\d+)?(?!\d|\.\d)
      )
    | (?<![\w.,])\.\d+(?!\d|\.\d)
    )""",
    re.VERBOSE,
)
_FRACTION = re.compile(
    r"(?<![\w./,])(?:(?P<whole>\d{1,4})[ \u00a0])?(?P<over>\d{1,2})/(?P<under>\d{1,2})(?![\d/])(?!\.\d)"
    r"|(?<![\w./,])(?P<whole2>\d{1,4})?[ \u00a0]?(?P<sign>[½¼¾⅓⅔⅛⅜⅝⅞])"
)
_LARGEST_DENOMINATOR = 16
_DECIMAL_COMMA = re.compile(r",\d{1,2}(?!\d|[.,]\d)")
_SCALE = re.compile(r"\s?(?P<scale>thousand|million|billion|bn|k)(?![^\W_])", re.IGNORECASE)
_SCALES = {"thousand": 1_000, "k": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "bn": 1_000_000_000}
_GAP = re.compile(r"[ \t\u00a0\u2009\u202f]{1,2}|[-‑]|")
_DECADE = re.compile(r"(?:^|\W)(?:the|my|his|her|their|our|early|late|mid|in)[\s-]$", re.IGNORECASE)
_RANGE_GAP = re.compile(r"\s?[-–‑—]\s?|\s(?:to|or)\s", re.IGNORECASE)
_MINUS = re.compile(r"(?<!\w)minus\s$", re.IGNORECASE)
_LIST_MARKER = re.compile(
    r"^[ \t>*_#•-]*(?:\(?\d{1,2}[.)](?!\d)(?=[*_]*\s+\S)"
    r"|(?:step|option|part|point|phase|stage|section)\s+(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b)",
    re.IGNORECASE | re.MULTILINE,
)


def find_numbers(text: str) -> tuple[Number, ...]:
    """All numbers of a text, in order, none overlapping another.

    Digits (decimals, thousands with comma, space or, from a million on, point), fractions and mixed numbers up to
    sixteenths, spelled-out numbers, each with the currency before or the unit after it; percentages; clock times.
    Left out: ordinals, numbers inside names ("B12", "3D", "1.2.3"), "half", "a couple", and "one" as a pronoun. In a
    range ("3-4 hours", "7 to 9 pm") the first number takes the unit of the second.
    """
    found: list[Number] = []
    position = 0
    candidates = sorted(_candidates(text), key=lambda number: (number.start, -number.end))
    for number in candidates:
        if number.start >= position:
            found.append(number)
            position = number.end
    return tuple(_with_range_units(found, text))


def _candidates(text: str) -> Iterator[Number]:
    for match in _CLOCK.finditer(text):
        yield _clock(match)
    for match in _DIGITS.finditer(text):
        number = _from_digits(text, match)
        if number:
            yield number
    for match in _FRACTION.finditer(text):
        number = _fraction(text, match)
        if number:
            yield number
    for match in SPELLED_PATTERN.finditer(text):
        number = _with_unit(text, match.start(), match.end(), spelled_value(match.group()), glued=False)
        if number and not (number.unit is None and is_pronoun_one(text, match.start(), match.end())):
            yield number


def _clock(match: re.Match[str]) -> Number:
    groups = match.groupdict()
    meridiem = next((groups[f"mer{i}"] for i in (1, 2, 3, 4) if groups[f"mer{i}"]), None)
    open_half = False
    if groups["word"]:
        minutes = Decimal(0 if groups["word"].casefold() == "midnight" else 12 * 60)
    else:
        raw = groups["hour"] or groups["hour2"] or groups["spelled"] or groups["oclock"]
        hour = int(raw) if raw.isdecimal() else int(spelled_value(raw))
        open_half = meridiem is None and 1 <= hour <= 12 and not raw.startswith("0")
        if meridiem and hour <= 12:
            hour = hour % 12 + (12 if meridiem[0] in "pP" else 0)
        minutes = Decimal(60 * hour + int(groups["minute"] or groups["minute2"] or 0))
        minutes += Decimal(groups["second"] or 0) / 60
    unit = None if open_half else DAY_CLOCK
    return Number(match.group(), minutes, unit, NumberKind.CLOCK, match.start(), match.end())


def _parts(match: re.Match[str]) -> tuple[int, int, int]:
    """Whole, numerator and denominator of a match of _FRACTION."""
    if match["sign"]:
        over, _, under = unicodedata.normalize("NFKC", match["sign"]).partition("\u2044")
        return int(match["whole2"] or 0), int(over), int(under)
    return int(match["whole"] or 0), int(match["over"]), int(match["under"])


def _fraction(text: str, match: re.Match[str]) -> Number | None:
    """A fraction or mixed number; None for "300/100", "60/100" and "24/7", which are two counts each."""
    whole, over, under = _parts(match)
    if not 0 < over < under <= _LARGEST_DENOMINATOR:
        return None
    value = _EXACT.add(whole, _EXACT.divide(Decimal(over), Decimal(under)))
    start = match.start() + (len(match.group()) - len(match.group().lstrip()))
    return _with_unit(text, start, match.end(), value, glued=True)


def _from_digits(text: str, match: re.Match[str]) -> Number | None:
    """The number of a digit match with what surrounds it, or None when it is part of a name or an ordinal."""
    core, money, end = match["core"], (match["money"] or "").strip(), match.end()
    value = _value(core)
    comma = _DECIMAL_COMMA.match(text, end) if core.isdecimal() else None
    if comma and (money or _unit_at(text, comma.end(), glued=True)):
        # "2,90 €": without a unit beside it, "2,90" may as well be a list.
        value, end = Decimal(f"{core}.{comma.group()[1:]}"), comma.end()
    scale = _SCALE.match(text, end)
    if scale and (money or len(scale["scale"]) > 2):
        value, end = value * _SCALES[scale["scale"].casefold()], scale.end()
    if match["sign"]:
        value = -value
    if not money:
        return _with_unit(text, match.start(), end, value, glued=True)
    if text[end : end + 1].isalpha():
        return None
    unit = CURRENCY_PREFIXES.get(money, money)
    return Number(text[match.start() : end], value, unit, NumberKind.MONEY, match.start(), end)


def _value(core: str) -> Decimal:
    digits = re.sub(r"\s", "", core)
    if digits.count(".") > 1:
        return Decimal(digits.replace(".", "").replace(",", "."))
    return Decimal(digits.replace(",", ""))


def _unit_at(text: str, end: int, *, glued: bool) -> tuple[str, int] | None:
    """Canonical unit that follows a number ending at `end`, and where the unit ends."""
    gap = _GAP.match(text, end)
    after = gap.end() if gap else end
    if after == end and not glued:
        return None
    match = UNIT_PATTERN.match(text, after)
    if not match or (after > end and match["symbol"] in GLUED_ONLY):
        return None
    return canonical_unit(match.group()), match.end()


def _with_unit(text: str, start: int, end: int, value: Decimal, *, glued: bool) -> Number | None:
    """A number with the unit after it; None when letters glued to it make it a name, an ordinal or a decade."""
    unit_found = _unit_at(text, end, glued=glued)
    if unit_found is None:
        tail = text[end : end + 2]
        times = tail[:1] in ("x", "×") and not tail[1:].isalpha()
        if glued and tail[:1].isalpha() and not times:
            return None
        return Number(text[start:end], value, None, NumberKind.COUNT, start, end)
    unit, unit_end = unit_found
    if text[end:unit_end] == "s":
        # "the 1990s", "in my 30s"
        digits = text[start:end]
        if len(digits) == 4 or (digits.endswith("0") and _DECADE.search(text[max(0, start - 8) : start])):
            return None
    if unit in TEMPERATURES and value > 0:
        minus = _MINUS.search(text[max(0, start - 8) : start])
        if minus:
            start, value = start - (len(minus.group())), -value
    kind = NumberKind.MEASURE
    if unit == PERCENT:
        kind = NumberKind.PERCENT
    elif unit in MONEY_UNITS:
        kind = NumberKind.MONEY
    return Number(text[start:unit_end], value, unit, kind, start, unit_end)


def _with_range_units(found: list[Number], text: str) -> Iterator[Number]:
    """Give the first number of a range the unit of the second."""
    for index, number in enumerate(found):
        later = found[index + 1] if index + 1 < len(found) else None
        bare = number.unit is None and number.kind is NumberKind.COUNT
        if later is None or not bare or not _RANGE_GAP.fullmatch(text, number.end, later.start):
            yield number
        elif later.kind is NumberKind.CLOCK:
            hour = number.value
            if hour == hour.to_integral_value() and 1 <= hour <= 12:
                yield replace(number, value=60 * hour, kind=NumberKind.CLOCK)
            else:
                yield number
        else:
            yield replace(number, unit=later.unit, kind=later.kind)


def same_number(a: Number, b: Number) -> bool:
    """Whether two numbers have the same value and units that can mean the same.

    Names of one unit are equal ("metres", "m"); a missing unit goes with any; 40 cents are $0.40. A clock equals only
    a clock; one without morning or evening ("9:30") equals both 9:30 am and 21:30. Nothing else is converted.
    """
    clocks = (a.kind is NumberKind.CLOCK, b.kind is NumberKind.CLOCK)
    if all(clocks):
        if a.unit is None or b.unit is None:
            return (a.value - b.value) % _MINUTES_PER_HALF_DAY == 0
        return a.value == b.value
    if any(clocks):
        return False
    if is_subunit_of(a.unit, b.unit) or is_subunit_of(b.unit, a.unit):
        return in_main_unit(a.value, a.unit, b.unit) == in_main_unit(b.value, b.unit, a.unit)
    return a.value == b.value and compatible_units(a.unit, b.unit)


def _with_components(numbers: tuple[Number, ...]) -> list[Number]:
    """The numbers, and for each "3/5" also its 3 and its 5, since it may be a score."""
    every = list(numbers)
    for number in numbers:
        match = _FRACTION.match(number.text)
        if match and match["under"] and not match["whole"]:
            every.extend(replace(number, value=Decimal(part), unit=None) for part in _parts(match)[1:])
    return every


def keeps_number(text: str, wanted: str) -> bool:
    """Whether a text still holds the numbers of a phrase such as "3 hours", "60 out of 100", "2 a day", "£1.20".

    Each number of the phrase needs its own number in the text: same value, a unit that can mean the same, digits or
    words. A phrase without numbers ("half an hour") must stand in the text as it is, apart from case and typography.
    """
    needed = sorted(find_numbers(wanted), key=lambda number: number.unit is None)
    if not needed:
        return squash(wanted).casefold() in squash(text).casefold()
    held = _with_components(find_numbers(text))
    for number in needed:
        match = next((other for other in held if same_number(number, other)), None)
        if match is None:
            return False
        held.remove(match)
    return True


_NO_NOUN = frozenset(
    ["to", "and", "or", "by", "in", "at", "of", "on", "a", "an", "per", "more", "x", "times", "till", "until"]
)
_NEXT_WORD = re.compile(r"[ -]([^\W\d_]{2,})")


def _counts_otherwise(number: Number, given: Iterable[Number], prompt: str) -> bool:
    """Whether a number has a unit, and the prompt has its value only for other things."""
    if number.unit is None or number.kind is NumberKind.CLOCK:
        return False
    same = [other for other in given if other.value == number.value and other.kind is not NumberKind.CLOCK]
    for other in same:
        word = _NEXT_WORD.match(prompt, other.end) if other.unit is None else None
        if other.unit is None and (word is None or word.group(1).casefold() in _NO_NOUN):
            return False
        if other.unit is not None and compatible_units(other.unit, number.unit):
            return False
    return True


def new_numbers(response: str, prompt: str) -> tuple[Number, ...]:
    """Numbers of a response that the prompt lacks: a sign that something was worked out.

    A number is lacking when its value is, or when it has a unit and the prompt has that value only as a clock time or
    as a count of something else ("2 hours" where the prompt has "2 lengths").

    List markers at the start of a line ("1. ", "2)", "Step 3") are not numbers, nor is "one" without a unit
    ("one problem"). The hours and minutes of the prompt's clock times and both halves of its fractions count as given.
    """
    given = _with_components(find_numbers(prompt))
    values = {number.value for number in given if number.kind is not NumberKind.CLOCK}
    hours = set(values)
    for number in given:
        if number.kind is NumberKind.CLOCK:
            hour, minute = divmod(number.value, 60)
            values |= {hour, minute} | ({hour - 12} if hour > 12 else set())
    markers = [match.span() for match in _LIST_MARKER.finditer(response)]
    new: list[Number] = []
    for number in find_numbers(response):
        if any(start <= number.start < end for start, end in markers):
            continue
        if number.unit is None and number.text.casefold() == "one":
            continue
        same = [other for other in given if same_number(number, other)]
        if any(other.unit is not None for other in same):
            continue
        if same and not _counts_otherwise(number, given, prompt):
            continue
        if number.kind is NumberKind.CLOCK:
            known = number.value % 60 == 0 and not hours.isdisjoint({number.value / 60, number.value / 60 - 12})
        else:
            known = number.value in values and not _counts_otherwise(number, given, prompt)
        if not known:
            new.append(number)
    return tuple(new)
