from __future__ import annotations

import pytest

from forge.families.terms import Terms, content_words


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("leak through", "it leaks right through", True),
        ("leak through", "it is leaking through", True),
        ("hold milk", "hold the milk", True),
        ("hold milk", "never held any milk", True),
        ("run out", "it ran straight out", True),
        ("change the score", "changing your score", False),
        ("change score", "changing your score", True),
        ("porous", "it is porous", True),
        ("porous", "vaporous", False),
        ("hold milk", "household milk", False),
        ("melt", "it melts", True),
        ("melt", "a smelter", False),
        ("too late", "Too late!", True),
    ],
)
def test_a_phrase_is_found_in_its_forms(phrase: str, text: str, found: bool) -> None:
    assert bool(Terms((phrase,)).find(text)) is found


def test_content_words() -> None:
    assert content_words("How many trips should I plan, and the berries?") == {"trip", "berry"}
