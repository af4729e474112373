"""The closed list of operations, by hand and against datetime and fractions; and how results are written."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.salience.results import Results
from forge.families.salience.tables.operations import Operation, Unfit, Value, apply, number, shown, spellings, written
from forge.text.spelled import spelled_value

SUM, DIFFERENCE, PRODUCT, QUOTIENT = Operation.SUM, Operation.DIFFERENCE, Operation.PRODUCT, Operation.QUOTIENT
CEIL, FLOOR, CLOCK = Operation.CEIL_QUOTIENT, Operation.FLOOR_QUOTIENT, Operation.CLOCK

HUNDREDTHS = st.decimals("0.01", "5000", places=2)
TIMES = st.tuples(st.integers(0, 23), st.integers(0, 59))


def values(*given_values: float | str) -> list[Value]:
    return [number(value) for value in given_values]


def result(operation: Operation, *operands: float | str) -> Value:
    return apply(operation, values(*operands))


@pytest.mark.parametrize(
    ("operation", "operands", "expected"),
    [
        (SUM, (12, 30, 7), 49),
        (SUM, (5,), 5),
        (DIFFERENCE, (50, 8), 42),
        (DIFFERENCE, (2.5, 0.75), 1.75),
        (PRODUCT, (6, 8), 48),
        (PRODUCT, (6, 8, 0.5), 24),
        (QUOTIENT, (48, 6), 8),
        (QUOTIENT, (4.5, 1.5), 3),
        (CEIL, (7, 2), 4),  # 3.5 rolls are 4
        (CEIL, (8, 2), 4),
        (CEIL, (1, 30), 1),
        (FLOOR, (7, 2), 3),
        (FLOOR, (8, 2), 4),
        (FLOOR, (1, 30), 0),
    ],
)
def test_arithmetic_by_hand(operation: Operation, operands: tuple[float, ...], expected: float) -> None:
    assert result(operation, *operands) == Decimal(str(expected))


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        (("9:00", 36), "9:36"),
        (("14:30", 40), "15:10"),
        (("8:50", 10, 15), "9:15"),
        (("09:05", 0), "9:05"),
        (("23:30", 45), "0:15"),  # 1410 + 45 = 1455 minutes, 15 more than a day
        (("23:30", 30), "0:00"),
        (("22:00", 60 * 51), "1:00"),  # 51 hours on: two days and three hours
    ],
)
def test_the_clock_goes_on_past_midnight(operands: tuple[float | str, ...], expected: str) -> None:
    assert result(CLOCK, *operands) == expected


@pytest.mark.parametrize(
    ("operation", "operands", "says"),
    [
        (QUOTIENT, (24, 5), "24 / 5 is not whole"),
        (QUOTIENT, (1, 0.3), "1 / 0.3 is not whole"),
        (QUOTIENT, (24, 0), "24 / 0 has no result"),
        (CEIL, (24, 0), "24 / 0 has no result"),
        (FLOOR, (24, 0), "24 / 0 has no result"),
        (QUOTIENT, (24, 2, 3), "takes two operands, not 3"),
        (CEIL, (24,), "takes two operands, not 1"),
        (DIFFERENCE, (8, 8), "8 - 8 is not above zero"),
        (DIFFERENCE, (8, 9), "8 - 9 is not above zero"),
        (DIFFERENCE, (9, 4, 4), "takes two operands, not 3"),
        (SUM, ("9:00", 4), "takes numbers, not times of day"),
        (PRODUCT, (4, "9:00"), "takes numbers, not times of day"),
        (CLOCK, (9, 36), "a time of day and minutes"),
        (CLOCK, ("9:00",), "a time of day and minutes"),
        (CLOCK, ("9:00", 2.5), "whole minutes, not 2.5"),
        (CLOCK, ("9:00", "0:30"), "whole minutes, not 0:30"),
    ],
)
def test_what_does_not_fit_is_said(operation: Operation, operands: tuple[float | str, ...], says: str) -> None:
    with pytest.raises(Unfit, match=re.escape(says)):
        result(operation, *operands)


def test_a_number_is_an_exact_decimal() -> None:
    assert number(0.1) == Decimal("0.1")
    assert result(SUM, *([0.1] * 10)) == 1
    assert result(QUOTIENT, 0.3, 0.1) == 3  # in binary floats the rest would be 0.09999999999999998


@pytest.mark.parametrize("text", ["24:00", "9:60", "9.00", "noon", "", "9:5", "9:000", "-1:00", "9:00 am"])
def test_no_time_of_day(text: str) -> None:
    with pytest.raises(Unfit, match="is no time of day"):
        number(text)


@pytest.mark.parametrize("text", ["0:00", "9:36", "09:05", "23:59"])
def test_a_time_of_day_stays_as_it_is_written(text: str) -> None:
    assert number(text) == text


@given(HUNDREDTHS, HUNDREDTHS)
def test_quotients_are_those_of_fractions(divided: Decimal, by: Decimal) -> None:
    exact = Fraction(divided) / Fraction(by)
    assert apply(CEIL, [divided, by]) == math.ceil(exact)
    assert apply(FLOOR, [divided, by]) == math.floor(exact)
    if exact.denominator == 1:
        assert apply(QUOTIENT, [divided, by]) == exact
    else:
        with pytest.raises(Unfit):
            apply(QUOTIENT, [divided, by])


@given(st.lists(HUNDREDTHS, min_size=1, max_size=5))
def test_sums_and_products_are_those_of_fractions(operands: list[Decimal]) -> None:
    exact = [Fraction(operand) for operand in operands]
    total, product = apply(SUM, list(operands)), apply(PRODUCT, list(operands[:3]))
    assert isinstance(total, Decimal)
    assert isinstance(product, Decimal)
    assert (Fraction(total), Fraction(product)) == (sum(exact), math.prod(exact[:3]))


@given(TIMES, st.lists(st.integers(0, 6000), min_size=1, max_size=3))
def test_the_clock_agrees_with_datetime(start: tuple[int, int], minutes: list[int]) -> None:
    end = datetime(2024, 3, 1, *start) + timedelta(minutes=sum(minutes))  # noqa: DTZ001
    found = apply(CLOCK, [f"{start[0]}:{start[1]:02d}", *map(Decimal, minutes)])
    assert found == f"{end.hour}:{end.minute:02d}"


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{n} litres", 24, "24 litres"),
        ("{n} litres", 1260, "1,260 litres"),
        ("{n} litres", 1234567, "1,234,567 litres"),
        ("{n} km", 4.5, "4.5 km"),
        ("{n} euros", 4.5, "4.5 euros"),
        ("€{n}", 4.5, "€4.50"),
        ("€{n}", 12, "€12"),
        ("£ {n} in all", 1234.5, "£ 1,234.50 in all"),
        ("${n}", 0.75, "$0.75"),
        ("{n} for €5", 4.5, "4.5 for €5"),
        ("at {n}", "9:36", "at 9:36"),
        ("{n} of {m}", 8, "8 of {m}"),
    ],
)
def test_written_with_thousands_and_cents(text: str, value: float | str, expected: str) -> None:
    assert written(text, "n", number(value)) == expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("{n} trips", 8, ["8 trips", "eight trips"]),
        ("{n} trips", 1, ["1 trips"]),
        ("{n} trips", 20, ["20 trips", "twenty trips"]),
        ("{n} trips", 99, ["99 trips", "ninety-nine trips"]),
        ("{n} trips", 100, ["100 trips"]),
        ("{n} calls", 1260, ["1,260 calls", "1260 calls"]),
        ("{n} km", 4.5, ["4.5 km"]),
        ("€{n}", 4.5, ["€4.50"]),
        ("{n} minutes", 56, ["56 minutes", "fifty-six minutes"]),
        ("{n} minutes", 60, ["60 minutes", "sixty minutes", "1 hour"]),
        ("{n} minutes", 61, ["61 minutes", "sixty-one minutes", "1 hour 1 minute", "1 hour and 1 minute"]),
        ("{n} minutes", 140, ["140 minutes", "2 hours 20 minutes", "2 hours and 20 minutes"]),
        ("{n} seconds", 200, ["200 seconds", "3 minutes 20 seconds", "3 minutes and 20 seconds"]),
        ("{n} minutes", 1440, ["1,440 minutes", "1440 minutes", "24 hours"]),
        ("{n} minutes", 90.5, ["90.5 minutes"]),
        ("{n}", "15:10", ["15:10", "3:10"]),
        ("{n}", "13:05", ["13:05", "1:05"]),
        ("{n}", "12:30", ["12:30"]),
        ("{n}", "9:36", ["9:36"]),
        ("at {n}", "15:10", ["at 15:10"]),
    ],
)
def test_spellings_by_hand(text: str, value: float | str, expected: list[str]) -> None:
    assert spellings(text, "n", number(value)) == expected


@pytest.mark.parametrize("value", range(2, 100))
def test_every_word_below_100_reads_back(value: int) -> None:
    _, word = spellings("{n}", "n", Decimal(value))
    assert spelled_value(word) == value


@given(st.integers(60, 6000))
def test_hours_and_minutes_come_to_the_same(value: int) -> None:
    plain = re.compile(r"(?P<hours>\d+) hours?(?: (?:and )?(?P<minutes>\d+) minutes?)?")
    split = [match for text in spellings("{n} minutes", "n", Decimal(value)) if (match := plain.fullmatch(text))]
    assert len(split) == (2 if value % 60 else 1)
    assert {60 * int(match["hours"]) + int(match["minutes"] or 0) for match in split} == {value}


@given(st.integers(2, 5000))
def test_each_spelling_is_found_as_this_result_and_not_as_the_next(value: int) -> None:
    found, after = (spellings("{n} minutes", "n", Decimal(minutes)) for minutes in (value, value + 1))
    own, next_one = Results(found), Results(after)
    assert all(own.find(f"So it takes {text} in all.") for text in found)
    assert not any(next_one.find(f"So it takes {text} in all.") for text in found)


@pytest.mark.parametrize(
    ("operation", "operands", "text", "expected"),
    [
        (SUM, (16, 50), "66 minutes", "16 + 50 = 66 minutes"),
        (DIFFERENCE, (50, 8), "42 seats", "50 - 8 = 42 seats"),
        (PRODUCT, (8, 1500), "12,000 g", "8 × 1,500 = 12,000 g"),
        (QUOTIENT, (48, 6), "8 trips", "48 / 6 = 8 trips"),
        (CEIL, (7, 2), "4 rolls", "7 / 2 = rounded up 4 rolls"),
        (FLOOR, (7, 2), "3 cakes", "7 / 2 = rounded down 3 cakes"),
        (CLOCK, ("14:30", 40), "15:10", "14:30 + 40 minutes = 15:10"),
        (CLOCK, ("14:30", 40, 5), "15:15", "14:30 + 40 minutes + 5 minutes = 15:15"),
    ],
)
def test_the_sum_is_shown(operation: Operation, operands: tuple[float | str, ...], text: str, expected: str) -> None:
    assert shown(operation, values(*operands), text) == expected
