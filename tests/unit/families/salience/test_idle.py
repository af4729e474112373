from __future__ import annotations

import pytest

from forge.families.salience.idle import idle_spans


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (True, "i can't say how long it takes"),
        (True, "it's impossible to say"),
        (True, "you don't need to hurry"),
        (False, "they don't give saucepans for those"),
        (False, "the net can't hold it"),
    ],
)
def test_excuses_are_the_writers_own(want: bool, text: str) -> None:
    assert bool(idle_spans(text)) is want
