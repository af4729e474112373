"""difflib's similarity without difflib: the same number for any two texts."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.pairs.blocks import longest, matched, ratio

# Few letters make many equal blocks, where the order of choice decides; the words make blocks as long as real ones.
LETTERS = st.text(alphabet="ab ", max_size=60)
WORDS = st.lists(st.sampled_from(["the ", "car ", "wash ", "walk ", "a", "aa", "ab"]), max_size=40).map("".join)
TEXTS = st.one_of(LETTERS, WORDS, st.text(max_size=40))


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A text and the same with one stretch replaced: what a minimal pair looks like."""
    text, new = draw(TEXTS), draw(st.text(alphabet="ab c", max_size=8))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 8)))
    return text, text[:start] + new + text[end:]


def plain(a: str, b: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, a, b, autojunk=False)


@settings(max_examples=500)
@given(st.one_of(edited(), st.tuples(TEXTS, TEXTS)))
def test_the_ratio_is_difflibs(pair: tuple[str, str]) -> None:
    for a, b in (pair, pair[::-1]):
        assert ratio(a, b) == plain(a, b).ratio()


@settings(max_examples=500)
@given(st.one_of(edited(), st.tuples(TEXTS, TEXTS)))
def test_the_longest_block_is_the_one_difflib_takes(pair: tuple[str, str]) -> None:
    for a, b in (pair, pair[::-1]):
        expected = plain(a, b).find_longest_match()
        i, j, size = longest(a, b)
        assert size == expected.size
        assert not size or (i, j) == (expected.a, expected.b)


def test_cutting_off_what_is_common_would_give_another_number() -> None:
    # Without the common "a" in front and "aa" behind, "b" and "" are left, which would make three.
    assert matched("abaa", "aaa") == sum(block.size for block in plain("abaa", "aaa").get_matching_blocks()) == 2


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("", "", 1.0), ("", "a", 0.0), ("a", "b", 0.0), ("ab", "ab", 1.0), ("tide", "diet", 0.25), ("diet", "tide", 0.5)],
)
def test_by_hand(a: str, b: str, expected: float) -> None:
    assert ratio(a, b) == expected


@pytest.mark.parametrize("size", [25, 120, 600])
def test_one_letter_over_and_over(size: int) -> None:
    a, b = "a" * size, "a" * (size // 2) + "b" + "a" * (size // 3)
    assert ratio(a, b) == plain(a, b).ratio()
    assert ratio(b, a) == plain(b, a).ratio()
