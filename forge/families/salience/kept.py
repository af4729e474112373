"""Whether a wording kept a seed's numbers: as quantities, with their rate, each in its own place. English; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

from forge.families.salience.seed import SalienceSeed
from forge.families.terms import content_words
from forge.text.normalise import Span, sentences
from forge.text.numbers import Number, NumberKind, find_numbers, keeps_number, same_number
from forge.text.spelled import HOUR_WORDS, spelled_value

_SCALED: dict[str, tuple[str, Decimal]] = {
    unit: (kind, Decimal(factor))
    for kind, units in {
        "time": {"s": "1", "min": "60", "h": "3600", "d": "86400", "week": "604800"},
        "length": {"mm": "1", "cm": "10", "m": "1000", "km": "1000000"},
        "mass": {"mg": "1", "g": "1000", "kg": "1000000", "t": "1000000000"},
        "volume": {"ml": "1", "cl": "10", "l": "1000"},
    }.items()
    for unit, factor in units.items()
}
"""Units that a person exchanges without another sum: a minute and a half are 90 seconds."""

_UNITS = r"second|minute|hour|day|week|metre|meter|kilometre|kilometer|kilo|litre|liter"
_SPOKEN: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\ban? ({_UNITS}) and a half\b", re.IGNORECASE), r"1.5 \1"),
    (re.compile(rf"\bone and a half ({_UNITS})s\b", re.IGNORECASE), r"1.5 \1"),
    (re.compile(rf"\bhalf (?:an?|of an?) ({_UNITS})\b", re.IGNORECASE), r"0.5 \1"),
    (re.compile(r"\b(?:three[ -]quarters|3/4) of an hour\b", re.IGNORECASE), "45 minutes"),
    (re.compile(r"\b(?:a )?quarter of an hour\b", re.IGNORECASE), "15 minutes"),
    (re.compile(r"\b(?:a|one) fortnight\b", re.IGNORECASE), "14 days"),
    (
        re.compile(
            rf"\b(for|takes?|took|taking|about|roughly|nearly|almost|only|just|another|after|within|least) "
            rf"an? ({_UNITS})\b",
            re.IGNORECASE,
        ),
        r"\1 1 \2",
    ),
)
_PAST = re.compile(
    rf"\b(?P<minutes>half|(?:a )?quarter|five|ten|twenty(?:-five)?|\d{{1,2}})(?: minutes)? (?P<side>past|to) "
    rf"(?P<hour>{HOUR_WORDS}|\d{{1,2}})\b(?!:)",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\s*(?:an?|per|every|each|/)\s*(?P<unit>second|minute|hour|day|week|month|year|sec|min|hr|s|h)\b", re.I
)
_RATES = {"sec": "second", "s": "second", "min": "minute", "hr": "hour", "h": "hour"}
_RATE_REACH = 24
"""Characters behind a number within which its rate may stand: "6 litres of water a minute"."""
_CONTEXT_WORDS = 6
_CROSSED = 3
"""Words by which the exchanged reading of two numbers must fit better than the straight one."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def spoken_out(text: str) -> str:
    """The text with spoken quantities in figures: "a minute and a half", "half an hour", "ten past eight"."""
    for pattern, figures in _SPOKEN:
        text = pattern.sub(figures, text)
    return _PAST.sub(_clock, text)


def _clock(match: re.Match[str]) -> str:
    said = match["minutes"].lower().removeprefix("a ")
    minutes = 30 if said == "half" else 15 if said == "quarter" else int(_figure(said))
    hour = int(_figure(match["hour"]))
    if minutes > 59 or not 1 <= hour <= 12:
        return match.group()
    total = 60 * hour + (minutes if match["side"].lower() == "past" else -minutes)
    return f"{(total // 60 - 1) % 12 + 1}:{total % 60:02d}"


def _figure(word: str) -> Decimal:
    return Decimal(word) if word.isdecimal() else spelled_value(word)


def equal(a: Number, b: Number) -> bool:
    """Whether two numbers are the same quantity; a count of things ("3 parcels") is no measure ("3 minutes")."""
    measured = (a.kind is NumberKind.MEASURE, b.kind is NumberKind.MEASURE)
    if all(measured) and a.unit in _SCALED and b.unit in _SCALED:
        (kind, factor), (other_kind, other_factor) = _SCALED[a.unit], _SCALED[b.unit]
        return kind == other_kind and a.value * factor == b.value * other_factor
    return same_number(a, b)


def keeps(text: str, wanted: str) -> bool:
    """Whether a text holds every number of a phrase, in any usual spelling and unit, and with the phrase's rate."""
    needed = _numbers_in(wanted)
    if not needed:
        return keeps_number(text, wanted)
    for place in dict.fromkeys((text, spoken_out(text))):
        if _all_held(place, needed) or keeps_number(place, wanted):
            return _keeps_rate(place, wanted, needed)
    return False


@lru_cache(maxsize=1024)
def _numbers_in(text: str) -> tuple[Number, ...]:
    """The numbers of a text; kept, since every number of the seed is looked for in it."""
    return find_numbers(text)


def _all_held(text: str, needed: tuple[Number, ...]) -> bool:
    held = list(_numbers_in(text))
    for number in needed:
        match = next((other for other in held if equal(number, other)), None)
        if match is None:
            return False
        held.remove(match)
    return True


def _keeps_rate(text: str, wanted: str, needed: tuple[Number, ...]) -> bool:
    """False when "2 a second" has become "2 a minute"; true where a text names no rate or says it in another way."""
    rate = _RATE.search(wanted, needed[-1].end)
    if rate is None:
        return True
    named: set[str] = set()
    for number in _numbers_in(text):
        if equal(number, needed[-1]):
            found = _RATE.search(text[number.end : number.end + _RATE_REACH])
            if found:
                named.add(_unit(found))
    return not named or _unit(rate) in named


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower()
    return _RATES.get(unit, unit)


def exchanged(seed: SalienceSeed, text: str) -> Iterator[tuple[str, str]]:
    """Pairs of the seed's kept numbers that stand in each other's place: the 8:10 where the 8:30 stood, and back.

    Both must stand once in prompt and text, and the words around each must fit the other's place better.
    """
    there = spoken_out(text)
    spans = (sentences(seed.prompt), sentences(there))
    numbers = (_numbers_in(seed.prompt), _numbers_in(there))
    places: dict[str, tuple[Number, frozenset[str], frozenset[str]]] = {}
    for wanted in seed.kept:
        parts = _numbers_in(wanted)
        found = [[other for other in every if parts and equal(parts[0], other)] for every in numbers]
        if len(parts) == 1 and all(len(each) == 1 for each in found):
            around = [
                _around(whole, span, each[0])
                for whole, span, each in zip((seed.prompt, there), spans, found, strict=True)
            ]
            places[wanted] = (parts[0], around[0], around[1])
    for one, two in combinations(places, 2):
        (a, a_seed, a_text), (b, b_seed, b_text) = places[one], places[two]
        if a.kind is not b.kind or a.unit != b.unit:
            continue
        straight = len(a_seed & a_text) + len(b_seed & b_text)
        crossed = len(a_seed & b_text), len(b_seed & a_text)
        if min(crossed) >= 1 and sum(crossed) >= straight + _CROSSED:
            yield one, two


def _around(text: str, spans: tuple[Span, ...], number: Number) -> frozenset[str]:
    """Words that carry meaning within six words of a number, in its sentence."""
    span = next(span for span in spans if span.start <= number.start < span.end)
    before = _WORD.findall(text[span.start : number.start])[-_CONTEXT_WORDS:]
    after = _WORD.findall(text[number.end : span.end])[:_CONTEXT_WORDS]
    return content_words(" ".join((*before, *after)))
