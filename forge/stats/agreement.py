"""Agreement of two labellings: confusion, precision and recall, Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LabelScore:
    """How one label was read: n rows carry it in truth; a ratio is None when its denominator is 0."""

    n: int
    precision: float | None
    recall: float | None


def kappa(truth: Sequence[str], read: Sequence[str]) -> float | None:
    """Return Cohen's kappa (Cohen 1960), or None when it is undefined (no rows, or both constant and equal).

    Raises:
        ValueError: the two have different lengths.
    """
    if len(truth) != len(read):
        raise ValueError(f"{len(truth)} labels against {len(read)}")
    n = len(truth)
    if n == 0:
        return None
    observed = sum(a == b for a, b in zip(truth, read, strict=True)) / n
    left, right = Counter(truth), Counter(read)
    chance = sum(left[label] * right[label] for label in left) / n**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def per_label(truth: Sequence[str], read: Sequence[str]) -> dict[str, LabelScore]:
    """Return precision and recall of every label that occurs in truth or reading, sorted by label."""
    if len(truth) != len(read):
        raise ValueError(f"{len(truth)} labels against {len(read)}")
    hits = Counter(a for a, b in zip(truth, read, strict=True) if a == b)
    true_n, read_n = Counter(truth), Counter(read)
    return {
        label: LabelScore(
            n=true_n[label],
            precision=hits[label] / read_n[label] if read_n[label] else None,
            recall=hits[label] / true_n[label] if true_n[label] else None,
        )
        for label in sorted({*truth, *read})
    }
