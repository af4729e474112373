"""Unit names and their compatibility."""

from __future__ import annotations

from decimal import Decimal

import pytest

from forge.text.units import UNIT_PATTERN, canonical_unit, compatible_units, in_main_unit, is_subunit_of


@pytest.mark.parametrize(
    ("names", "canonical"),
    [
        (["m", "metre", "metres", "Meter", "meters"], "m"),
        (["min", "mins", "minute", "minutes"], "min"),
        (["l", "L", "litre", "liters"], "l"),
        (["h", "hr", "hrs", "hour", "hours"], "h"),
        (["%", "percent", "per cent"], "percent"),
        (["$", "dollars", "USD", "usd"], "USD"),
        (["km/h", "kmh", "kph", "kilometres per hour", "kilometers per hour"], "km/h"),
        (["°C", "degrees Celsius"], "°C"),
        (["GBP per litre", "£"], "GBP"),
        (["Chapters", "chapters"], "chapters"),
    ],
)
def test_names_of_one_unit(names: list[str], canonical: str) -> None:
    assert {canonical_unit(name) for name in names} == {canonical}
    assert canonical_unit(canonical) == canonical


def test_case_tells_symbols_apart() -> None:
    assert canonical_unit("MW") == "MW"
    assert canonical_unit("m") != canonical_unit("M")


@pytest.mark.parametrize(
    ("a", "b", "fits"),
    [
        ("m", "metres", True),
        (None, "m", True),
        ("m", None, True),
        ("m", "km", False),
        ("pound", "lb", True),
        ("£", "pounds", True),
        ("lb", "GBP", False),
        ("degrees", "°F", True),
        ("°C", "°F", False),
    ],
)
def test_compatible_units(a: str | None, b: str | None, fits: bool) -> None:
    assert compatible_units(a, b) is fits
    assert compatible_units(b, a) is fits


def test_cents_are_hundredths_of_dollars_and_euros_only() -> None:
    assert in_main_unit(Decimal(40), "cents", "$") == Decimal("0.4")
    assert in_main_unit(Decimal(40), "cents", "GBP") == 40
    assert in_main_unit(Decimal(40), None, "$") == 40
    assert is_subunit_of("pence", "£")
    assert not is_subunit_of("£", "pence")
    assert not is_subunit_of(None, "£")


def test_pattern_takes_the_longest_name_and_whole_words() -> None:
    def unit(text: str) -> str | None:
        match = UNIT_PATTERN.match(text)
        return match.group() if match else None

    assert unit("km/h fast") == "km/h"
    assert unit("kilometres per hour") == "kilometres per hour"
    assert unit("mesh") is None
    assert unit("hours") == "hours"
    assert unit("m2") == "m2"
