"""How much of a text another one still says, counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.fidelity import Fidelity, content_lemmas, fidelity

TEXT = st.lists(
    st.sampled_from(["the", "dog", "dogs", "ran", "home", "to", "big", "9:36", "I'll", "Tom's", "and", "carry", "12"]),
    max_size=10,
).map(" ".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dogs carried big boxes", {"dog", "carry", "big", "box"}),
        ("I'll be there at 9:36 with 12 litres.", {"litre"}),
        ("Tom’s basket and Tom's bag", {"tom", "basket", "bag"}),
        ("You should have been with them, before and after", set()),
        ("It is as I do so", set()),  # no word of three letters
        ("", set()),
    ],
)
def test_content_words_by_hand(text: str, expected: set[str]) -> None:
    assert set(content_lemmas(text)) == expected


@pytest.mark.parametrize(
    ("original", "other", "kept", "added"),
    [
        ("The dogs carry boxes", "A dog carried the box!", 1.0, ()),
        ("The dogs carry boxes", "A dog carried the big old box", 1.0, ("big", "old")),
        ("The dogs carry boxes", "A cat carried the box", 2 / 3, ("cat",)),  # of dog, carry and box: carry and box
        ("The dogs carry boxes home", "Nothing of it", 0.0, ("nothing",)),
        ("The dogs carry boxes", "", 0.0, ()),
        ("", "Dogs bark", 1.0, ("bark", "dog")),  # there was nothing to lose
        ("It is 9:36", "It is 10:45", 1.0, ()),  # numbers are no content words: others look after them
    ],
)
def test_fidelity_by_hand(original: str, other: str, kept: float, added: tuple[str, ...]) -> None:
    assert fidelity(original, other)[:2] == (pytest.approx(kept), added)


@pytest.mark.parametrize(
    ("original", "other", "repeated"),
    [
        ("Our club's banner is to hang there", "The banner for our club's banner hangs there", ("banner",)),
        ("I want posters up on shop windows", "Posters up on shop windows, and they're on shop windows",
         ("shop", "window")),
        ("The dogs carry boxes", "Boxes, carried by dogs", ()),
        ("A dog is a dog", "A dog is a dog", ()),  # twice before, twice after
        ("A dog is a dog", "The dog", ()),  # less often is not repeated
        ("The dogs carry boxes", "A cat saw the cat", ()),  # what is new is `added`, however often
    ],
)  # fmt: skip
def test_what_is_said_more_often_is_repeated(original: str, other: str, repeated: tuple[str, ...]) -> None:
    assert fidelity(original, other).repeated == repeated


def test_another_language_has_no_english_forms() -> None:
    assert fidelity("boxes", "box") == Fidelity(1.0, ())
    assert fidelity("boxes", "box", "tlh") == Fidelity(0.0, ("box",))
    assert fidelity("große Häuser", "viele große Hauses", "de") == Fidelity(1.0, ("viel",))


@given(TEXT, TEXT)
def test_shares_are_those_of_sets(one: str, two: str) -> None:
    a, b = set(content_lemmas(one)), set(content_lemmas(two))
    found = fidelity(one, two)
    assert found.added == tuple(sorted(b - a))
    assert found.kept * len(a) == pytest.approx(len([word for word in a if word in b]))
    assert fidelity(one, one) == Fidelity(1.0, ())
    assert fidelity(one, f"{two} {one}").kept == 1.0
