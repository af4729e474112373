"""Choosers that look at nothing or at one thing only, and what each would score, in closed form."""

from __future__ import annotations

from collections.abc import Mapping


def chooser(heavy: Mapping[bool, float]) -> dict[str, float]:
    """Return the scores of a chooser that never looks at the text, asked in both orders, each by itself.

    Args:
        heavy: the probability that it takes the constraint-heavy option, when that is A (True) and when it is B.

    Returns:
        p_active, p_removed: the constraint-heavy option's share in the two versions; first: option A's share;
        consistency: of the two orders of a version; sba = (p_active + 1 - p_removed) / 2 (Core-100, section 2); the
        shares of the outcome labels; failure: of the solves that may be certified.

    Raises:
        ValueError: a value is no probability.
    """
    if set(heavy) != {True, False} or not all(0 <= p <= 1 for p in heavy.values()):
        raise ValueError(f"give a probability for each order, got {dict(heavy)}")
    one, two = heavy[True], heavy[False]
    both, neither = one * two, (1 - one) * (1 - two)
    share = (one + two) / 2
    return {
        "p_active": share,
        "p_removed": share,
        "first": (one + 1 - two) / 2,
        "consistency": both + neither,
        "sba": 0.5,
        "both_right": both * neither,
        "under_activation": neither * neither,
        "over_activation": both * both,
        "both_wrong": neither * both,
        "position": 1 - (both + neither) ** 2,
        "failure": neither * neither + both * both + neither * both,
    }


def references() -> dict[str, dict[str, float]]:
    """Chooser → measure → score. One that follows the letter fails no solve that may be certified."""
    return {
        "uniform": chooser({True: 0.5, False: 0.5}),
        "always_constraint_heavy": chooser({True: 1.0, False: 1.0}),
        "always_heuristic": chooser({True: 0.0, False: 0.0}),
        "always_first": chooser({True: 1.0, False: 0.0}),
        "always_second": chooser({True: 0.0, False: 1.0}),
    }
