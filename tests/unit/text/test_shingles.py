"""Shingles and Jaccard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.shingles import jaccard, shingle_size, shingles, similarity

SETS = st.frozensets(st.text(alphabet="abcdef", min_size=1, max_size=2), max_size=20)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("milk", 5),
        ("", 5),
        ("123", 5),
        ("牛奶", 1),
        ("みるく", 1),
        ("우유", 1),
        ("молоко", 5),
        ("牛奶 ab", 5),
        ("牛奶奶 ab", 1),
    ],
)
def test_shingle_size(text: str, size: int) -> None:
    assert shingle_size(text) == size


def test_shingles_by_hand() -> None:
    assert shingles("Mesh bag") == {"mesh ", "esh b", "sh ba", "h bag"}
    assert shingles("abc") == {"abc"}
    assert shingles("abcd", 2) == {"ab", "bc", "cd"}
    assert shingles(" ?! ") == frozenset()
    assert shingles("牛奶 牛") == {"牛", "奶"}
    assert shingles("12 a") == shingles("£99.50 A") == {"# a"}
    with pytest.raises(ValueError, match="at least 1"):
        shingles("a", 0)


@given(SETS, SETS)
def test_jaccard_is_symmetric_and_bounded_and_agrees_with_its_definition(a: frozenset[str], b: frozenset[str]) -> None:
    value = jaccard(a, b)
    assert value == jaccard(b, a)
    assert 0.0 <= value <= 1.0
    assert value == (len(a & b) / len(a | b) if a | b else 1.0)
    assert (value == 1.0) == (a == b)


def test_jaccard_by_hand() -> None:
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 1.0
    assert jaccard(frozenset(), frozenset("a")) == 0.0


@given(st.text(max_size=30))
def test_a_text_is_like_itself_in_any_case_of_ascii(text: str) -> None:
    assert similarity(text, text) == 1.0


def test_similarity_by_hand() -> None:
    # abcdef: abcde bcdef; abcdeg: abcde bcdeg; one of three shared
    assert similarity("abcdef", "ABCDEG!") == pytest.approx(1 / 3)
    assert similarity("take 5 cans", "take 12 cans") == 1.0
