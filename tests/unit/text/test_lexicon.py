"""Whole-word phrases and negation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.lexicon import IMPOSSIBILITY_EN, NEGATION_EN, NEGATIONS_EN, Hit, Lexicon, negated


@pytest.mark.parametrize(
    ("phrases", "text", "found"),
    [
        (["son"], "A person, a Son.", ["Son"]),
        (["run through"], "It runs through; it run\n through", ["run\n through"]),
        (["plastic bag"], "a plastic-bag", ["plastic-bag"]),
        (["can't hold"], "It can’t hold", ["can’t hold"]),
        (["can’t hold"], "It can't hold", ["can't hold"]),
        (["3 trips"], "13 trips, 1.3 trips, 3 trips", ["3 trips"]),
        (["382"], "382.80 and 1,382", []),
        (["a b", "b c d"], "a b c d", ["b c d"]),
        (["leak", "leak out"], "leak out, leak", ["leak out", "leak"]),
        (["a", "a b", "b c d e"], "a b c d e", ["a", "b c d e"]),
        (["n't"], "isn’t, couldn't, nt", ["isn’t", "couldn't"]),
        ([], "anything", []),
        (["x"], "", []),
    ],
)
def test_find(phrases: list[str], text: str, found: list[str]) -> None:
    hits = Lexicon(phrases).find(text)
    assert [text[hit.start : hit.end] for hit in hits] == found
    assert all(hit.phrase in phrases for hit in hits)


def test_empty_phrase_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        Lexicon(["leak", " "])


@given(st.lists(st.sampled_from(["milk", "mesh bag", "bag", "no", "not only", "n't", "don't", "."]), max_size=12))
def test_hits_are_exact_ordered_and_apart(words: list[str]) -> None:
    text = " ".join(words)
    position = 0
    for hit in Lexicon(["milk", "mesh bag", "bag", "not only", "n't"]).find(text):
        assert hit.start >= position
        assert text[hit.start : hit.end] == ("don't" if hit.phrase == "n't" else hit.phrase)
        position = hit.end


@pytest.mark.parametrize("word", [*NEGATIONS_EN, *IMPOSSIBILITY_EN])
def test_every_listed_word_negates_what_follows_it(word: str) -> None:
    text = f"It {'is' if word == chr(110) + chr(39) + 't' else ''}{word} to hold milk."
    (hit,) = Lexicon(["hold milk"]).find(text)
    assert NEGATION_EN.find(text)
    assert negated(text, hit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A mesh bag won’t hold milk.", True),
        ("It isn't able to hold milk.", True),
        ("No bag of that open sort will hold milk.", False),
        ("No bag of that sort will hold milk.", True),
        ("Can a net hold milk? No.", False),
        ("To hold milk in that is impossible.", True),
        ("To hold milk in a bag of this kind is impossible.", False),
        ("It can't be cut but will hold milk.", False),
        ("It can't be cut; it will hold milk.", False),
        ("Not only will it hold milk, it cools it.", False),
        ("It will hold milk, no problem.", False),
        ("Don't worry, it will hold milk.", False),
        ("It will hold milk without spilling.", False),
        ("It will hold milk and never leak.", False),
        ("It will hold milk.", False),
        ("I know nothing. It will hold milk.", False),
        ("Without a liner it won't hold milk.", True),
    ],
)
def test_negated(text: str, expected: bool) -> None:
    (hit,) = Lexicon(["hold milk"]).find(text)
    assert negated(text, hit) is expected


def test_window_and_words_are_arguments() -> None:
    text = "No bag of that open sort will hold milk."
    (hit,) = Lexicon(["hold milk"]).find(text)
    assert negated(text, hit, window=7)
    german = "Das Netz kann keine Milch halten."
    assert negated(german, Hit("Milch halten", 20, 32), Lexicon(["keine"]))
    assert not negated(german, Hit("Milch halten", 20, 32))


def test_a_negation_inside_the_hit_does_not_count() -> None:
    text = "It is not a fare."
    (hit,) = Lexicon(["not a fare"]).find(text)
    assert not negated(text, hit)
