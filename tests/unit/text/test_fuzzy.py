"""Character similarities against closed forms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forge.text.fuzzy import difflib_ratio, indel_similarity


@pytest.mark.parametrize("measure", [indel_similarity, difflib_ratio])
def test_closed_forms(measure: Callable[[str, str], float]) -> None:
    assert measure("", "") == 1.0
    assert measure("abc", "abc") == 1.0
    assert measure("abc", "xyz") == 0.0
    # three letters shared of four and four: 2 * 3 / 8
    assert measure("abcd", "abce") == pytest.approx(0.75)


def test_long_texts_are_not_judged_by_rare_letters_only() -> None:
    # Every letter of b is "popular" in 300 characters; with the heuristic on, nothing would match: 0.
    a, b = "x" + "ab" * 150, "ab" * 150
    assert difflib_ratio(a, b) == pytest.approx(600 / 601)
