from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.surface import BEST, WORST, conciseness, escapes_in, no_escape

SOUND = (
    "I have to get my bike number done on the square. The stand is just around the corner and it's open till six, so "
    "there is no rush at all. Should I go now or later?"
)


def test_a_sound_text_has_the_best_scores() -> None:
    assert conciseness(SOUND) == no_escape(SOUND) == BEST


@pytest.mark.parametrize("text", ["", "asdf qwer zxcv hjkl poiu " * 4, "net " * 60])
def test_garbage_is_not_concise(text: str) -> None:
    assert conciseness(text) <= 2


def test_a_longer_ideal_spares_longer_texts() -> None:
    longer = SOUND + " The others will come by bus from the station and want to know it too, but they can wait for me."
    longer += " It would be good to be home before it gets dark, since I said that I would cook for all of us."
    assert conciseness(longer, (150, 420)) > conciseness(longer)


def test_an_escape_is_found_as_it_stands() -> None:
    assert escapes_in("Just assume it works, hypothetically.") == ["assume it works", "hypothetically"]
    assert no_escape("Just assume it works.") == WORST


@given(st.text(max_size=300))
def test_scores_stay_within_their_bounds(text: str) -> None:
    assert WORST <= conciseness(text) <= BEST
    assert WORST <= no_escape(text) <= BEST
