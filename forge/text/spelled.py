"""Reads numbers spelled out in English: "twenty-five", "two hundred and six", "a dozen", "two and a half".

Standard library only, because exported readers ship it. Ordinals and bare fractions are not numbers here.
"""

from __future__ import annotations

import re
from decimal import Decimal

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    "zero": 0,
    "a": 1,
    "an": 1,
    **{word: value for value, word in enumerate((*_ONES, *_TEENS), start=1)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    "fourty": 40,
}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

_ones = "|".join(_ONES)
_small = rf"(?:(?:{'|'.join(_TENS)}|fourty)(?:[-‑\s](?:{_ones})(?!\w))?|{'|'.join(_TEENS)}|{_ones})"
_hundred = rf"(?:(?:(?:{_small}|an?)\s+hundred|{_small})(?:(?<=hundred)\s+(?:and\s+)?{_small})?)"
_scaled = rf"(?:{_hundred}|an?)\s+(?:thousand|million|billion)"
_rest = rf"(?:,?\s+(?:and\s+)?{_hundred})"
_dozen = rf"(?:half\s+a\s+|an?\s+|{_small}\s+)dozen"
_ORDINAL = r"[-‑](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)(?!\w)"
_PART = r"[-‑\s](?:hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)(?!\w)"

# The words alone, for building into longer patterns ("seven o'clock"); at most twelve.
HOUR_WORDS = "|".join(sorted((*_ONES, "ten", "eleven", "twelve"), key=len, reverse=True))

SPELLED_PATTERN = re.compile(
    rf"(?<!\w)(?:{_dozen}|{_scaled}(?:,?\s+(?:{_hundred}|an?)\s+thousand)?{_rest}?|{_hundred}|zero)"
    rf"(?:\s+and\s+a\s+half)?(?!\w)(?!{_ORDINAL})(?!{_PART})",
    re.IGNORECASE,
)

_ONE_BEFORE = re.compile(
    r"(?:^|[^\w])(?:no|any|every|some|this|that|which|each|the|another|other|last|right|wrong|only|first|new|old|good|"
    r"better|best)[\s-]$",
    re.IGNORECASE,
)
_ONE_AFTER = re.compile(
    r"['’]s\b|-(?:way|off|time|sided|size)\b|\s+(?:of|another|can|could|should|would|must|may|might|has|is|needs|that|"
    r"which|who)\b",
    re.IGNORECASE,
)


def spelled_value(phrase: str) -> Decimal:
    """Value of a phrase that SPELLED_PATTERN matched.

    Raises:
        ValueError: the phrase holds a word that is no number.
    """
    words = re.sub(r"[-‑,]", " ", phrase.casefold()).split()
    half = words[-3:] == ["and", "a", "half"]
    if half:
        words = words[:-3]
    if words[-1] == "dozen":
        head = words[:-1]
        return Decimal(6) if head[0] == "half" else 12 * spelled_value(" ".join(head))
    total = current = 0
    for word in words:
        if word == "and":
            continue
        if word == "hundred":
            current *= 100
        elif word in _SCALES:
            total += current * _SCALES[word]
            current = 0
        elif word in _VALUES:
            current += _VALUES[word]
        else:
            raise ValueError(f"{word!r} in {phrase!r} is no number word")
    return Decimal(total + current) + (Decimal("0.5") if half else 0)


def is_pronoun_one(text: str, start: int, end: int) -> bool:
    """Whether "one" at start..end is a pronoun: "no one", "this one", "one of them", "one-way"."""
    if text[start:end].casefold() != "one":
        return False
    before = text[max(0, start - 12) : start]
    return bool(_ONE_BEFORE.search(before)) or bool(_ONE_AFTER.match(text, end))


def spelled_out(value: int) -> str:
    """A number below 100 in words: "forty-two".

    Raises:
        ValueError: it is below 0 or above 99.
    """
    if not 0 <= value < 100:
        raise ValueError(f"{value} is not between 0 and 99")
    if value < 20:
        return ("zero", *_ONES, *_TEENS)[value]
    tens, ones = divmod(value, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones - 1]}" if ones else "")
