"""Numbers spelled out."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.spelled import SPELLED_PATTERN, is_pronoun_one, spelled_out, spelled_value

ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spell(n: int, hyphen: str = "-", joint: str = " and ") -> str:
    """English words of 0..999,999, written for this test from the grammar of number words."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + (hyphen + ONES[n % 10] if n % 10 else "")
    if n < 1000:
        return f"{ONES[n // 100]} hundred" + (joint + spell(n % 100, hyphen, joint) if n % 100 else "")
    rest = n % 1000
    tail = (joint if rest < 100 else " ") + spell(rest, hyphen, joint) if rest else ""
    return f"{spell(n // 1000, hyphen, joint)} thousand{tail}"


@given(st.integers(0, 999_999), st.sampled_from(["-", " ", "‑"]), st.sampled_from([" and ", " "]), st.booleans())
def test_every_spelled_number_comes_back(n: int, hyphen: str, joint: str, capital: bool) -> None:
    words = spell(n, hyphen, joint)
    text = f"take {words.capitalize() if capital else words}, then stop"
    matches = [match.group() for match in SPELLED_PATTERN.finditer(text)]
    assert [spelled_value(match) for match in matches] == [Decimal(n)]
    assert matches[0].casefold() == words


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("a dozen", 12),
        ("two dozen", 24),
        ("half a dozen", 6),
        ("a hundred", 100),
        ("two million", 2_000_000),
        ("five hundred thousand", 500_000),
        ("two and a half", Decimal("2.5")),
        ("twenty five", 25),
    ],
)
def test_values_by_hand(phrase: str, value: Decimal | int) -> None:
    match = SPELLED_PATTERN.fullmatch(phrase)
    assert match
    assert spelled_value(phrase) == value


@pytest.mark.parametrize(
    "text",
    ["often", "someone", "tenant", "dozens", "hundreds", "half an hour", "a couple", "twenty-second", "second", "first",
     "two-thirds", "three quarters", "sixty-first"],
)  # fmt: skip
def test_these_are_no_numbers(text: str) -> None:
    assert SPELLED_PATTERN.search(text) is None


def test_a_word_that_is_no_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="'many'"):
        spelled_value("many")


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [("no one", True), ("this one", True), ("one of them", True), ("one-way", True), ("one's", True),
     ("one trip", False), ("only two", False), ("bring one bag", False)],
)  # fmt: skip
def test_one_as_a_pronoun(text: str, pronoun: bool) -> None:
    match = SPELLED_PATTERN.search(text)
    assert match
    assert is_pronoun_one(text, match.start(), match.end()) is pronoun


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "zero"), (1, "one"), (10, "ten"), (19, "nineteen"), (20, "twenty"), (42, "forty-two"), (99, "ninety-nine")],
)
def test_numbers_are_written_in_words(value: int, words: str) -> None:
    assert spelled_out(value) == words


def test_every_number_below_a_hundred_reads_back() -> None:
    assert [spelled_value(spelled_out(value)) for value in range(100)] == list(range(100))


@pytest.mark.parametrize("value", [-1, 100])
def test_other_numbers_have_no_words_here(value: int) -> None:
    with pytest.raises(ValueError, match="between 0 and 99"):
        spelled_out(value)
