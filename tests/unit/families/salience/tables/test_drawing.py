"""Numbers are drawn so that the sum comes out, against a search through all of them; and written as they stand."""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.families.salience.tables import mini

from forge.families.salience.tables.drawing import Sum, answers, chooser, drawn, filled, listed, solved
from forge.families.salience.tables.ingredients import Task
from forge.families.salience.tables.operations import Unfit, Value, number

BARREL, LOAVES = mini.table().tasks


def task(numbers: dict[str, dict[str, Any]], steps: list[dict[str, Any]], **pieces: Any) -> Task:
    """The barrel task with other numbers and steps."""
    row = mini.document()["tasks"][0]
    full = {name: {"text": f"{{{name}}} units", "unit": "u", **spec} for name, spec in numbers.items()}
    return Task.model_validate({**row, "numbers": full, "steps": steps, **pieces})


def given_numbers(**values: float | str) -> dict[str, Value]:
    return {name: number(value) for name, value in values.items()}


def test_a_chooser_is_the_digest_of_its_key_and_label_alone() -> None:
    # The canonical JSON of the key and the label, hashed; the first twelve hex digits as a number.
    expected = int(hashlib.sha256(b'["D1","wicker-basket-barrel",0,"frame"]').hexdigest()[:12], 16)
    assert chooser(["D1", "wicker-basket-barrel", 0])("frame") == expected
    assert chooser(["D1", "wicker-basket-barrel", 0])("control") != expected
    assert chooser(["D1", "wicker-basket-barrel", 1])("frame") != expected


def test_a_sum_by_hand() -> None:
    # 48 litres, 6 at a time: 8 trips; 8 trips of 7 minutes: 56 minutes.
    found = solved(BARREL, given_numbers(n=48, m=6, u=7))
    assert found.results == {"trips": 8, "total": 56}
    # 9 loaves, 5 minutes each: 45 minutes; 14:30 and 45 minutes: 15:15.
    assert solved(LOAVES, given_numbers(n=9, u=5, h="14:30")).results == {"total": 45, "end": "15:15"}


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"n": 24, "m": 5, "u": 3}, "24 / 5 is not whole"),
        ({"n": 24, "m": 8, "u": 3}, "trips is 3, which the prompt already says"),
        ({"n": 30, "m": 3, "u": 3}, "total is 30, which the prompt already says"),  # 10 trips of 3 minutes
        ({"n": 5, "m": 5, "u": 7}, "trips is 1"),
        ({"n": 18, "m": 2, "u": 1}, "two steps have one result"),  # 9 trips of a minute each: 9 and 9
        ({"n": 24, "m": 4, "u": 1.503}, "total is 9.018"),  # 6 x 1.503: no third decimal
    ],
)
def test_numbers_that_do_not_fit(values: dict[str, float], says: str) -> None:
    with pytest.raises(Unfit, match=re.escape(says)):
        solved(BARREL, given_numbers(**values))


def test_a_time_that_the_prompt_says_is_no_result() -> None:
    steps = [{"name": "end", "op": "clock", "of": ["h", "n"], "text": "{end}"}]
    one = task({"h": {"draw": ["9:00"]}, "n": {"draw": [30]}, "k": {"draw": ["9:30"]}}, steps)
    with pytest.raises(Unfit, match="end is 9:30, which the prompt already says"):
        solved(one, given_numbers(h="9:00", n=30, k="9:30"))


def test_constants_are_operands_too() -> None:
    steps = [
        {"name": "minutes", "op": "product", "of": ["n", 60], "text": "{minutes} minutes"},
        {"name": "end", "op": "clock", "of": ["22:30", "minutes"], "text": "{end}"},
    ]
    # 4 hours are 240 minutes; 22:30 and four hours: 2:30.
    assert solved(task({"n": {"draw": [4]}}, steps), given_numbers(n=4)).results == {"minutes": 240, "end": "2:30"}


def test_the_only_fitting_combination_is_found_wherever_the_search_begins() -> None:
    # Five primes and 91 = 7 x 13: of the 36 quotients only 91 / 7 is whole.
    numbers = {"n": {"draw": [23, 29, 31, 37, 41, 91]}, "m": {"draw": [3, 5, 7, 11, 17, 19]}, "u": {"draw": [2]}}
    one = task(numbers, mini.document()["tasks"][0]["steps"])
    assert {str(dict(drawn(one, lambda _, start=start: start).values)) for start in range(36)} == {
        str({"n": Decimal(91), "m": Decimal(7), "u": Decimal(2)})
    }


def test_that_none_fits_is_said_with_the_first_reason() -> None:
    one = task(
        {"n": {"draw": [23, 29]}, "m": {"draw": [5, 7]}, "u": {"draw": [2]}}, mini.document()["tasks"][0]["steps"]
    )
    with pytest.raises(Unfit, match=r"none of 4 combinations of the drawn numbers fits: 23 / 5 is not whole"):
        drawn(one, lambda _: 0)


def test_other_draws_have_other_numbers() -> None:
    found = [tuple(drawn(BARREL, chooser(["x", draw])).values.values()) for draw in range(12)]
    assert found == [tuple(drawn(BARREL, chooser(["x", draw])).values.values()) for draw in range(12)]
    assert len(set(found)) >= 6


CHOICES = st.lists(st.sampled_from([2, 3, 4, 5, 6, 8, 9, 12, 24, 1.5, 2.5]), min_size=1, max_size=4, unique=True)
OPERATIONS = st.sampled_from(["sum", "difference", "product", "quotient", "ceil_quotient", "floor_quotient"])


def _worked_out(op: str, a: Fraction, b: Fraction) -> Fraction | None:
    """The operation on fractions, written anew; None where it is not allowed."""
    if op == "sum":
        return a + b
    if op == "product":
        return a * b
    if op == "difference":
        return a - b if a > b else None
    if op == "quotient":
        return a / b if (a / b).denominator == 1 else None
    return Fraction(math.ceil(a / b) if op == "ceil_quotient" else math.floor(a / b))


def _fits(ops: tuple[str, str], a: Fraction, b: Fraction, c: Fraction) -> tuple[Fraction, Fraction] | None:
    """The results of two steps, (a op b) and then (that op c), where they may stand as a sum."""
    first = _worked_out(ops[0], a, b)
    second = None if first is None else _worked_out(ops[1], first, c)
    if first is None or second is None:
        return None
    fine = all(one >= 2 and (one * 100).denominator == 1 and one not in (a, b, c) for one in (first, second))
    return (first, second) if fine and first != second else None


@given(st.tuples(CHOICES, CHOICES, CHOICES), st.tuples(OPERATIONS, OPERATIONS), st.integers(0, 10**6))
def test_drawn_finds_a_fitting_combination_when_and_only_when_there_is_one(
    choices: tuple[list[float], ...], ops: tuple[str, str], start: int
) -> None:
    steps = [
        {"name": "first", "op": ops[0], "of": ["a", "b"], "text": "{first} units"},
        {"name": "second", "op": ops[1], "of": ["first", "c"], "text": "{second} units"},
    ]
    one = task({name: {"draw": draw} for name, draw in zip("abc", choices, strict=True)}, steps)
    every = itertools.product(*([Fraction(str(value)) for value in draw] for draw in choices))
    fitting = {values: results for values in every if (results := _fits(ops, *values)) is not None}
    if not fitting:
        with pytest.raises(Unfit, match="combinations of the drawn numbers fits"):
            drawn(one, lambda _: start)
        return
    found = drawn(one, lambda _: start)
    values = tuple(Fraction(found.values[name]) for name in "abc")
    assert values in fitting
    assert tuple(Fraction(found.results[name]) for name in ("first", "second")) == fitting[values]


def test_a_piece_takes_its_numbers_and_its_name() -> None:
    one = task(
        {"n": {"draw": [1500]}, "p": {"draw": [4.5], "text": "€{p}"}, "h": {"draw": ["9:00"]}},
        [{"name": "all", "op": "product", "of": ["n", "p"], "text": "€{all}"}],
    )
    found = solved(one, given_numbers(n=1500, p=4.5, h="9:00"))
    text = "At {h} I sell {n} of my {x}, each for €{p} ({p} euros), with {n}{h}."
    assert filled(text, one, found, "tin cans") == (
        "At 9:00 I sell 1,500 of my tin cans, each for €4.50 (4.5 euros), with 1,5009:00."
    )


def test_only_the_numbers_of_the_sum_are_kept() -> None:
    one = task(
        {
            "n": {"text": "{n} litres", "unit": "l", "draw": [24]},
            "m": {"text": "{m} litres at a time", "unit": "l", "draw": [4]},
            "d": {"text": "{d} m", "unit": "m", "draw": [90]},
            "k": {"text": "{k} kg", "unit": "kg", "draw": [11], "role": "core"},
        },
        [{"name": "trips", "op": "quotient", "of": ["n", "m"], "text": "{trips} trips"}],
    )
    assert listed(one, solved(one, given_numbers(n=24, m=4, d=90, k=11))) == [
        {"text": "24 litres", "unit": "l", "role": "distractor", "keep": True},
        {"text": "4 litres at a time", "unit": "l", "role": "distractor", "keep": True},
        {"text": "90 m", "unit": "m", "role": "distractor", "keep": False},
        {"text": "11 kg", "unit": "kg", "role": "core", "keep": False},
    ]


def test_answers_hold_every_result_the_last_first() -> None:
    found: Sum = solved(BARREL, given_numbers(n=60, m=4, u=7))
    # 60 / 4 = 15 trips; 15 x 7 = 105 minutes, which are 1 hour 45 minutes.
    minutes = ["105 minutes", "1 hour 45 minutes", "1 hour and 45 minutes"]
    work, expected, arithmetic = answers(BARREL, found)
    assert work == [*minutes, "15 trips", "fifteen trips"]
    assert expected == minutes
    assert arithmetic == "60 / 4 = 15 trips; 15 × 7 = 105 minutes."
