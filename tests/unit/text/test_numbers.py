"""Numbers with units: found, compared, kept, added."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forge.text.numbers import Number, NumberKind, find_numbers, keeps_number, new_numbers, same_number

COUNT, MONEY, CLOCK, PERCENT, MEASURE = (
    NumberKind.COUNT,
    NumberKind.MONEY,
    NumberKind.CLOCK,
    NumberKind.PERCENT,
    NumberKind.MEASURE,
)
NUMBERISH = st.text(alphabet="0123456789 .,:/-–£$€%½aspmkhWx'°C\n", max_size=40)


def brief(text: str) -> list[tuple[object, ...]]:
    return [(number.text, number.value, number.unit, number.kind) for number in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "value", "unit", "kind"),
    [
        ("7", 7, None, COUNT),
        ("3.14", "3.14", None, COUNT),
        ("1,400", 1400, None, COUNT),
        ("1 400", 1400, None, COUNT),
        ("1\u202f400", 1400, None, COUNT),
        ("1,234,567.5", "1234567.5", None, COUNT),
        ("1.400.000", 1_400_000, None, COUNT),
        ("1.400", "1.4", None, COUNT),
        ("-5 °C", -5, "°C", MEASURE),
        ("minus 18 °C", -18, "°C", MEASURE),
        ("20C", 20, "°C", MEASURE),
        ("$2.90", "2.90", "USD", MONEY),
        ("£1.20", "1.20", "GBP", MONEY),
        ("US$5 million", 5_000_000, "USD", MONEY),
        ("EUR 12", 12, "EUR", MONEY),
        ("5 €", 5, "EUR", MONEY),
        ("2,90 €", "2.90", "EUR", MONEY),
        ("12 euros", 12, "EUR", MONEY),
        ("40 cents", 40, "cent", MONEY),
        ("50p", 50, "penny", MONEY),
        ("600 m", 600, "m", MEASURE),
        ("600m", 600, "m", MEASURE),
        ("600-metre", 600, "m", MEASURE),
        ("100W", 100, "W", MEASURE),
        ("4 °C", 4, "°C", MEASURE),
        ("20 km/h", 20, "km/h", MEASURE),
        ("20 kilometres per hour", 20, "km/h", MEASURE),
        ("500 ml", 500, "ml", MEASURE),
        ("500 Wh", 500, "Wh", MEASURE),
        ("3 days", 3, "d", MEASURE),
        ("8 minutes", 8, "min", MEASURE),
        ("45 kHz", 45, "kHz", MEASURE),
        ("20 percent", 20, "percent", PERCENT),
        ("20%", 20, "percent", PERCENT),
        ("9:30", 570, None, CLOCK),
        ("9:30 am", 570, "24h", CLOCK),
        ("9.30 p.m.", 1290, "24h", CLOCK),
        ("7 pm", 1140, "24h", CLOCK),
        ("12 am", 0, "24h", CLOCK),
        ("12:15 pm", 735, "24h", CLOCK),
        ("6 o'clock", 360, None, CLOCK),
        ("nine o’clock", 540, None, CLOCK),
        ("seven pm", 1140, "24h", CLOCK),
        ("21:05", 1265, "24h", CLOCK),
        ("noon", 720, "24h", CLOCK),
        ("midnight", 0, "24h", CLOCK),
        ("zero", 0, None, COUNT),
        ("twenty-five", 25, None, COUNT),
        ("a dozen", 12, None, COUNT),
        ("three hours", 3, "h", MEASURE),
        ("two-day", 2, "d", MEASURE),
        ("one hour", 1, "h", MEASURE),
        ("1/2", "0.5", None, COUNT),
        ("3/4 cup", "0.75", "cup", MEASURE),
        ("1½ l", "1.5", "l", MEASURE),
        ("2 1/4 hours", "2.25", "h", MEASURE),
    ],
)
def test_one_number_alone_and_in_a_sentence(text: str, value: int | str, unit: str | None, kind: NumberKind) -> None:
    expected = [(text, Decimal(value), unit, kind)]
    assert brief(text) == expected
    assert brief(f"I said {text}, please") == expected
    assert brief(f"({text})") == expected


@pytest.mark.parametrize(
    "text",
    ["5th", "22nd", "B12", "mp3", "3D", "1.2.3", "the 1990s", "in my 30s", "half an hour", "a couple", "no one",
     "this one", "afternoon", "person", "first", "two-thirds", "Often"],
)  # fmt: skip
def test_no_number_here(text: str) -> None:
    assert brief(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("60 out of 100", [60, 100]),
        ("chapters 1,2,3", [1, 2, 3]),
        ("60/100", [60, 100]),
        ("24/7", [24, 7]),
        ("300 / 150", [300, 150]),
        ("a 3x16 grid", [3, 16]),
        ("It is 5. Then 6.", [5, 6]),
        ("four 100 W panels", [4, 100]),
        ("a single ride is $2.90 and I take 2 a day, 22 days a month", ["2.90", 2, 22]),
    ],
)
def test_several_numbers(text: str, values: list[int | str]) -> None:
    assert [number.value for number in find_numbers(text)] == [Decimal(value) for value in values]


def test_the_first_of_a_range_takes_the_unit_of_the_second() -> None:
    assert brief("3-4 hours") == [("3", 3, "h", MEASURE), ("4 hours", 4, "h", MEASURE)]
    assert brief("twenty to thirty minutes")[0] == ("twenty", 20, "min", MEASURE)
    assert brief("from 7 to 9 pm") == [("7", 420, None, CLOCK), ("9 pm", 1260, "24h", CLOCK)]
    assert brief("2 bags and 9 litres")[0] == ("2", 2, None, COUNT)


@given(st.text(max_size=60) | NUMBERISH)
@example("1½½ 3")
@example("minus 5 °C")
def test_offsets_are_exact_and_ordered(text: str) -> None:
    position = 0
    for number in find_numbers(text):
        assert text[number.start : number.end] == number.text
        assert number.text
        assert number.start >= position
        position = number.end


@given(st.decimals(0, 10**7, places=2), st.sampled_from(["m", " litres", " kg", "", "%"]))
def test_every_decimal_comes_back(value: Decimal, unit: str) -> None:
    found = find_numbers(f"I need {value}{unit} today")
    assert [number.value for number in found] == [value]


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_clock_time_comes_back(hour: int, minute: int) -> None:
    (number,) = find_numbers(f"at {hour:02}:{minute:02} sharp")
    assert number.value == 60 * hour + minute
    assert number.kind is CLOCK
    half = "am" if hour < 12 else "pm"
    (other,) = find_numbers(f"at {(hour - 1) % 12 + 1}:{minute:02} {half}")
    assert other.value == number.value
    assert same_number(number, other)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("600 m", "600 metres", True),
        ("600 m", "600 km", False),
        ("600 m", "600", True),
        ("600 m", "601 m", False),
        ("8 min", "eight minutes", True),
        ("20%", "twenty percent", True),
        ("$2.90", "2.9 dollars", True),
        ("$0.40", "40 cents", True),
        ("£0.40", "40 cents", False),
        ("12 pounds", "£12", True),
        ("12 pounds", "12 lb", True),
        ("£12", "12 lb", False),
        ("20 km/h", "20 kilometres per hour", True),
        ("9:30", "9:30 pm", True),
        ("9:30 am", "9:30 pm", False),
        ("21:30", "9:30 pm", True),
        ("7 o'clock", "7", False),
        ("1/2", "0.5", True),
    ],
)
def test_same_number(a: str, b: str, same: bool) -> None:
    (first,), (second,) = find_numbers(a), find_numbers(b)
    assert same_number(first, second) is same
    assert same_number(second, first) is same


def test_units_of_numbers_made_by_hand_are_canonicalised() -> None:
    a = Number("3", Decimal(3), "metres", MEASURE, 0, 1)
    b = Number("3", Decimal(3), "m", MEASURE, 0, 1)
    assert same_number(a, b)


@pytest.mark.parametrize(
    ("text", "wanted", "kept"),
    [
        ("practise three hours a day", "3 hours", True),
        ("practise 3 hrs a day", "3 hours", True),
        ("practise 3 days", "3 hours", False),
        ("13 hours", "3 hours", False),
        ("1.3 hours", "3 hours", False),
        ("I need 60 of the 100 points", "60 out of 100", True),
        ("I need 60/100", "60 out of 100", True),
        ("I need 3/5", "3 out of 5", True),
        ("I need 60 points", "60 out of 100", False),
        ("Two a day", "2 a day", True),
        ("one pound twenty", "£1.20", False),
        ("at 1.20 pounds a litre", "£1.20", True),
        ("it is £1.2", "£1.20", True),
        ("2 bags", "2 of 2", False),
        ("wait HALF an hour", "half an hour", True),
        ("wait an hour", "half an hour", False),
        ("come at nine o'clock", "9 o'clock", True),
        ("", "3", False),
    ],
)
def test_keeps_number(text: str, wanted: str, kept: bool) -> None:
    assert keeps_number(text, wanted) is kept


PROMPT = "I need 12 litres, 4 litres a trip, 8 minutes each way, at 9 o'clock, for $0.40, and 3/5 of it on 2 days."


@pytest.mark.parametrize(
    ("response", "new"),
    [
        ("12 litres at 4 a trip is 3 trips, 48 minutes.", ["48 minutes"]),
        ("So five trips.", []),
        ("So seven trips.", ["seven"]),
        ("1. Take 12\n2) Walk\n **6.** Go\nStep 7: fill 13 cans", ["13"]),
        ("1.5 litres left", ["1.5 litres"]),
        ("48. That is the answer", []),
        ("It takes 48.", ["48"]),
        ("One problem: no one can.", []),
        ("One hour.", ["One hour"]),
        ("Be there at 9:00 for 40 cents", []),
        ("Be there at 9:30", ["9:30"]),
        ("twelve", []),
        ("", []),
    ],
)
def test_new_numbers(response: str, new: list[str]) -> None:
    assert [number.text for number in new_numbers(response, PROMPT)] == new


@given(NUMBERISH)
def test_a_text_adds_no_number_to_itself_and_keeps_its_own(text: str) -> None:
    assert new_numbers(text, text) == ()
    assert keeps_number(text, text)


def test_a_value_that_the_prompt_counts_other_things_by_is_new() -> None:
    prompt = "From 10:15 on, with 2 lengths of 20 m each and 50 cm of wire, 2 to 3 hours at a time."
    assert [n.text for n in new_numbers("15 minutes", prompt)] == ["15 minutes"]
    assert [n.text for n in new_numbers("20 kg", prompt)] == ["20 kg"]
    assert new_numbers("20 metres", prompt) == ()
    assert new_numbers("50 of them", prompt) == ()
    # "2 to 3 hours": the first number's unit stands after the second
    assert new_numbers("2 hours", prompt) == ()
    assert [n.text for n in new_numbers("They shine for 2 hours.", "I have 2 lengths of 20 m.")] == ["2 hours"]
