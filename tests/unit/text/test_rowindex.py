"""Bounds lose nothing, exact Jaccard decides: with every pair proposed, what is found is what brute force finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.text.made import pairs, texts

from forge.text.normalise import normalise
from forge.text.rowindex import MemoryTexts, Near, RowIndex
from forge.text.shingles import similarity
from forge.text.signatures import Prepared, Signer

SIGNER = Signer(1, 1, 1)
WORDS = st.lists(st.sampled_from(["carry", "the", "milk", "home", "in", "a", "mesh", "bag", "牛奶", "7"]), max_size=12)


def all_alike(rows: list[str]) -> Prepared:
    """Texts that share their only key, so that every pair is proposed."""
    made = SIGNER.prepare([normalise(row) for row in rows])
    return replace(made, keys=np.zeros_like(made.keys))


@settings(deadline=None)
@given(st.lists(WORDS.map(" ".join), max_size=8), st.lists(WORDS.map(" ".join), max_size=4),
       st.sampled_from([0.3, 0.5, 0.8, 1.0]))  # fmt: skip
def test_no_pair_at_the_threshold_is_left_out(held: list[str], asked: list[str], threshold: float) -> None:
    index = RowIndex(1, threshold)
    index.add(all_alike(held))
    found = index.near(all_alike(asked))
    for query, text in enumerate(asked):
        scores = [(row, similarity(text, other)) for row, other in enumerate(held)]
        expected = sorted(((-score, row) for row, score in scores if score >= threshold))
        assert found.get(query, []) == [Near(row, -score) for score, row in expected]


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_bounds_spare_most_comparisons_and_lose_none(threshold: float) -> None:
    rows = texts(250, seed=4)
    index = RowIndex(1, threshold)
    batch = all_alike(rows)
    index.add(batch)
    found = index.near(batch, itself=True)
    expected = pairs(rows, threshold)
    assert {(near.row, query) for query, nears in found.items() for near in nears if near.row < query} == set(expected)
    assert all(near.similarity == expected[tuple(sorted((near.row, query)))]
               for query, nears in found.items() for near in nears)  # fmt: skip
    assert index.proposed == 250 * 249
    assert index.compared >= 2 * len(expected)
    # 256 bits tell sets of 190 apart when they must share 8 of 9 shingles, not when 2 of 3 are enough
    assert threshold < 0.8 or index.compared < 0.1 * index.proposed


def test_a_text_is_not_compared_with_itself_when_told() -> None:
    index = RowIndex(1, 0.9)
    batch = all_alike(["one text", "one text", "another"])
    index.add(batch)
    assert index.near(batch)[0] == [Near(0, 1.0), Near(1, 1.0)]
    assert index.near(batch, itself=True) == {0: [Near(1, 1.0)], 1: [Near(0, 1.0)]}


def test_two_empty_texts_are_alike_and_an_empty_one_is_like_no_other() -> None:
    index = RowIndex(1, 0.1)
    index.add(all_alike(["", "words"]))
    assert index.near(all_alike(["?"])) == {0: [Near(0, 1.0)]}


def test_texts_are_kept_in_the_store_that_was_given() -> None:
    store = MemoryTexts()
    index = RowIndex(1, 0.5, store)
    index.add(all_alike(["Carry £5", "Home"]))
    assert [store.get(row) for row in range(len(store))] == [b"carry #", b"home"]
    assert len(index) == 2
    assert index.sizes.tolist() == [3, 1]
    assert index.bitmaps.shape == (2, 4)
    assert index.keys.shape == (2, 1)
