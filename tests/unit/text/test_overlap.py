"""Shared shingles of many pairs at once, against Python's sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.text.normalise import normalise
from forge.text.overlap import shared
from forge.text.shingles import shingles_of

TEXTS = st.sampled_from(["ab ", "abcdefghij 12", "аб вгд", "牛奶不能 a", "ạảấầẩ ẫ"]).flatmap(
    lambda letters: st.text(alphabet=letters, max_size=30)
)
PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=8, max_size=8), PAIRS)
def test_pairs_share_what_their_sets_share(texts: list[str], pairs: list[tuple[int, int]]) -> None:
    normals = [normalise(text) for text in texts]
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    expected = [len(shingles_of(normals[a]) & shingles_of(normals[b])) for a, b in pairs]
    assert shared(normals, left, right).tolist() == expected


@pytest.mark.parametrize("letters", [60, 900, 3000, 5000])
def test_an_alphabet_of_any_size(letters: int) -> None:
    wide = "".join(chr(0x17000 + i) for i in range(letters))
    texts = [wide, wide[: letters // 2], "plain words", wide[letters // 2 :] + "plain words"]
    left, right = np.array([0, 0, 0, 2]), np.array([1, 2, 3, 3])
    # the last text has the second half, and "plain" begins 4 windows before its own first
    assert shared(texts, left, right).tolist() == [letters // 2 - 4, 0, letters - letters // 2 - 4, 7]


def test_one_text_with_itself() -> None:
    assert shared(["carry milk"], np.array([0]), np.array([0])).tolist() == [6]
