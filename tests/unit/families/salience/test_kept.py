from __future__ import annotations

from typing import Any

import pytest

from forge.families.salience.kept import exchanged, keeps, spoken_out
from forge.families.salience.seed import SalienceSeed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("it takes a minute and a half each", "90 seconds"),
        ("it takes an hour and a half", "90 minutes"),
        ("half an hour there", "30 minutes"),
        ("a quarter of an hour", "15 minutes"),
        ("about an hour", "60 minutes"),
        ("we leave at ten past eight", "8:10"),
        ("we leave at quarter to ten", "9:45"),
        ("half a litre each", "500 ml"),
        ("0.6 km from here", "600 m"),
        ("six litres per minute", "6 litres a minute"),
        ("two bounces every second", "2 bounces a second"),
        ("3 parcels", "3 parcels"),
    ],
)
def test_the_same_quantity_is_kept(text: str, wanted: str) -> None:
    assert keeps(text, wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("45 minutes a case", "45 seconds"),
        ("a minute and a half", "60 seconds"),
        ("two bounces a minute", "2 bounces a second"),
        ("6 litres an hour", "6 litres a minute"),
        ("ten past nine", "8:10"),
        ("600 km from here", "600 m"),
        ("nothing at all", "3 parcels"),
    ],
)
def test_another_quantity_is_lost(text: str, wanted: str) -> None:
    assert not keeps(text, wanted)


@pytest.mark.parametrize(
    ("said", "figures"),
    [
        ("half past twelve", "12:30"),
        ("quarter to one", "12:45"),
        ("five to ten", "9:55"),
        ("ten to nothing", "ten to nothing"),
    ],
)
def test_the_clock_as_people_say_it(said: str, figures: str) -> None:
    assert spoken_out(said) == figures


def test_numbers_that_have_changed_places_are_seen(raw: dict[str, Any]) -> None:
    raw["prompt"] += " The coach left at 8:10 for the coast. I set out after it on foot at 8:30."
    raw["numbers"] += [{"text": time, "unit": "clock", "role": "distractor", "keep": True} for time in ("8:10", "8:30")]
    seed = SalienceSeed(**raw)
    assert list(exchanged(seed, seed.prompt)) == []
    swapped = seed.prompt.replace("8:10", "8:xx").replace("8:30", "8:10").replace("8:xx", "8:30")
    assert list(exchanged(seed, swapped)) == [("8:10", "8:30")]
    turned = "I set out on foot at 8:30 after the coach, which left for the coast at 8:10. " + raw["question"]
    assert list(exchanged(seed, turned)) == []
