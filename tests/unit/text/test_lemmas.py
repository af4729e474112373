"""Dictionary forms: one doing is one, however it is inflected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.lemmas import lemmas
from forge.text.normalise import fold

WORDS = st.lists(st.sampled_from(["carry", "Carries", "boxes", "wicker", "basket", "12", "MICE", "lorry"]), max_size=6)
ARTICLES = ["a", "an", "the", "my", "your", "our", "his", "her", "its", "their", "some"]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("carries the boxes", ("carry", "box")),
        ("carrying my box", ("carry", "box")),
        ("Carried Their Boxes.", ("carry", "box")),
        ("rubber bands", ("rubber", "band")),
        ("wicker baskets", ("wicker", "basket")),
        ("the children's mice", ("child", "mouse")),
        ("finish in under 2 hours", ("finish", "in", "under", "2", "hour")),
        ("1,500 pieces of rope", ("1,500", "piece", "of", "rope")),
        ("half-marathon", ("half-marathon",)),
        ("", ()),
        (" … — ! ", ()),
        ("the", ()),
    ],
)
def test_english_by_hand(phrase: str, expected: tuple[str, ...]) -> None:
    assert lemmas(phrase) == expected
    assert lemmas(phrase, "en-GB") == expected
    assert lemmas(phrase, "EN") == expected


def test_another_language_has_its_own_forms_and_keeps_english_articles() -> None:
    assert lemmas("Häuser", "de") == ("haus",)
    assert lemmas("my Häuser", "de-AT")[-1] == "haus"
    assert "my" in lemmas("my Häuser", "de-AT")


def test_a_language_without_a_dictionary_is_only_folded() -> None:
    assert lemmas("The BOXES", "tlh") == ("the", "boxes")


def test_forms_are_folded() -> None:
    assert lemmas("ﬁsh") == lemmas("FISH") == lemmas("fish") == ("fish",)
    assert lemmas("Straße", "tlh") == ("strasse",)


@given(WORDS, st.lists(st.sampled_from(ARTICLES), max_size=3), st.randoms(use_true_random=False))
def test_articles_case_and_marks_make_no_difference(words: list[str], articles: list[str], random: object) -> None:
    plain = lemmas(" ".join(words))
    said = [word for pair in zip(articles, words, strict=False) for word in pair] + words[len(articles) :]
    assert len(plain) == len(words)
    assert lemmas(", ".join(said).upper() + "!") == plain


@given(st.text(max_size=40))
def test_lemmas_of_any_text_are_folded_words_in_order(text: str) -> None:
    found = lemmas(text, "tlh")
    folded = fold(text)
    place = 0
    for word in found:
        place = folded.index(word, place) + len(word)
    assert all(word and not word.isspace() for word in found)
    assert len(lemmas(text)) <= len(found)
