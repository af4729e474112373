"""Kappa, precision and recall, by hand."""

from __future__ import annotations

import pytest

from forge.stats.agreement import kappa, per_label


def test_kappa_by_hand() -> None:
    # 10 rows: observed 7/10; truth a 6, b 4; read a 5, b 5; chance (6 x 5 + 4 x 5) / 100 = 0.5; (0.7 - 0.5) / 0.5
    truth = ["a"] * 6 + ["b"] * 4
    read = ["a"] * 4 + ["b"] * 2 + ["a"] + ["b"] * 3
    assert kappa(truth, read) == pytest.approx(0.4)


def test_kappa_at_its_ends() -> None:
    assert kappa(["a", "b"], ["a", "b"]) == 1.0
    assert kappa(["a", "b"], ["b", "a"]) == -1.0
    assert kappa([], []) is None
    assert kappa(["a", "a"], ["a", "a"]) is None


def test_per_label_by_hand() -> None:
    scores = per_label(["a", "a", "b", "c"], ["a", "b", "b", "d"])
    assert (scores["a"].n, scores["a"].precision, scores["a"].recall) == (2, 1.0, 0.5)
    assert (scores["b"].precision, scores["b"].recall) == (0.5, 1.0)
    assert (scores["c"].precision, scores["c"].recall) == (None, 0.0)
    assert (scores["d"].n, scores["d"].precision, scores["d"].recall) == (0, 0.0, None)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 labels against 1"):
        kappa(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="1 labels against 2"):
        per_label(["a"], ["a", "b"])
