"""Exact binomial quantities against closed forms and scipy's own routine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from forge.stats.exact import at_least, clopper_pearson


def test_closed_forms_at_the_ends() -> None:
    # 0 of n: high = 1 - (0.025)^(1/n); n of n: low = (0.025)^(1/n)
    assert clopper_pearson(0, 5) == pytest.approx((0.0, 1 - 0.025 ** (1 / 5)))
    assert clopper_pearson(5, 5) == pytest.approx((0.025 ** (1 / 5), 1.0))
    assert clopper_pearson(0, 0) == (0.0, 1.0)


@given(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95, 0.99])
)
def test_it_agrees_with_scipy(counts: tuple[int, int], confidence: float) -> None:
    successes, trials = counts
    interval = binomtest(successes, trials).proportion_ci(confidence, method="exact")
    assert clopper_pearson(successes, trials, confidence) == pytest.approx((interval.low, interval.high), abs=1e-9)


@given(st.integers(0, 8), st.integers(0, 8), st.floats(0, 1))
def test_tails_agree_with_scipy(needed: int, trials: int, rate: float) -> None:
    assert at_least(needed, trials, rate) == pytest.approx(float(binom.sf(needed - 1, trials, rate)), abs=1e-9)


def test_three_of_five_by_hand() -> None:
    # rate 1/2: (10 + 5 + 1) / 32
    assert at_least(3, 5, 0.5) == pytest.approx(16 / 32)


@pytest.mark.parametrize(("successes", "trials", "confidence"), [(6, 5, 0.95), (-1, 5, 0.95), (1, 5, 1.0), (1, 5, 0.0)])
def test_nonsense_is_refused(successes: int, trials: int, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"successes|confidence"):
        clopper_pearson(successes, trials, confidence)
