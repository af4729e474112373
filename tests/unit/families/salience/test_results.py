from __future__ import annotations

import pytest

from forge.families.salience.results import Results


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("48 minutes", "about 48 min", ["48 min"]),
        ("48 minutes", "forty-eight minutes", ["forty-eight minutes"]),
        ("48 minutes", "48 hours", []),
        ("48 minutes", "148 minutes or 48.5 minutes", []),
        ("3 trips", "three separate trips", ["three separate trips"]),
        ("3 trips", "**3** trips", ["3** trips"]),
        ("3 trips", "1.3 trips, 3 hours of trips", []),
        ("3 trips", "Trips: 3", ["3"]),
        ("three trips", "3 trips", ["3 trips"]),
        ("9:36", "at 9.36 am", ["9.36 am"]),
        ("9:36", "at 9:36", ["9:36"]),
        ("9:36", "a ratio of 9.36", ["9.36"]),
        ("382.80", "$382.8", ["$382.8"]),
        ("382.80", "$1,382.80", []),
        ("300 Wh", "300Wh", ["300Wh"]),
        ("3-4 hours", "3 – 4 hours", ["3 – 4 hours"]),
        ("60 percent of 500", "60 percent of 500 Wh", ["60 percent of 500"]),
        ("hours per chapter", "1.5 hours per chapter", ["hours per chapter"]),
        ("hour and a quarter", "an hour and a quarter", ["hour and a quarter"]),
        ("4 trays", "4\ntrays", ["4\ntrays"]),
    ],
)
def test_a_result_is_found_however_it_is_written(term: str, text: str, found: list[str]) -> None:
    hits = Results((term,)).find(text)
    assert [hit.text for hit in hits] == found
    assert all(text[hit.start : hit.end] == hit.text for hit in hits)


def test_hits_come_in_order() -> None:
    hits = Results(("48 minutes", "3 trips")).find("3 trips, 48 minutes, 3 trips")
    assert [hit.term for hit in hits] == ["3 trips", "48 minutes", "3 trips"]


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("6:45", "Leave at a quarter to 7.", "a quarter to 7"),
        ("6:45", "Leave at quarter past seven.", None),
        ("5:25", "Set it for twenty five past five", "twenty five past five"),
        ("10:50", "Go at ten to 11, no later.", "ten to 11"),
        ("8:30", "It's there at half past 8.", "half past 8"),
        ("1:20", "Sit down at one twenty.", "one twenty"),
        ("9 May", "You arrive on the ninth of May.", "ninth of May"),
        ("9 May", "You arrive on May the 9th.", "May the 9th"),
        ("9 May", "You arrive on the nineteenth of May.", None),
        ("4 rolls", "\\( 720 / 180 = \\boxed{4} \\) rolls", "4"),
    ],
)
def test_spelled_clocks_dates_and_boxes(term: str, text: str, found: str | None) -> None:
    hits = Results((term,)).find(text)
    assert [text[hit.start : hit.end].startswith(found or "") for hit in hits] == ([True] if found else [])


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (True, "Two rolls are too few, so buy three."),
        (True, "Three! Rolls are cheap."),
        (False, "Three rolls are too many, so buy two."),
        (False, "So you need three."),
    ],
)
def test_a_conclusion_without_its_noun(want: bool, text: str) -> None:
    assert bool(Results(("3 rolls",)).concluded(text)) is want
