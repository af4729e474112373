"""Exact binomial quantities: Clopper-Pearson intervals and tails. scipy is imported when first used."""

from __future__ import annotations

from math import comb


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact two-sided interval of a proportion (Clopper & Pearson 1934; scipy's `binomtest` agrees).

    Args:
        successes: number of successes, 0 to `trials`.
        trials: number of trials; 0 gives (0, 1).
        confidence: coverage, between 0 and 1.

    Raises:
        ValueError: successes outside 0..trials, or confidence outside (0, 1).
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    if trials == 0:
        return 0.0, 1.0
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes == trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def at_least(needed: int, trials: int, rate: float) -> float:
    """Return P(X >= needed) for X ~ Binomial(trials, rate)."""
    return sum(comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(max(needed, 0), trials + 1))
