"""The family's counts and rates over readings: choices, agreement under swapping, outcomes of whole solves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from forge.families.base import Measures
from forge.families.hidden_constraint.labels import (
    SWAPPED,
    TRIALS,
    UNREADABLE,
    VERSIONS,
    ChoiceLabel,
    HiddenConstraintLabel,
    label,
)
from forge.families.hidden_constraint.references import references
from forge.model.checks import Reading


def _rate(count: float, of: int) -> float | None:
    return count / of if of else None


def measure(readings: Sequence[tuple[str, Reading]]) -> Measures:
    """Counts and rates over (condition, reading) pairs.

    p_VERSION is the share of constraint-heavy choices among the readable answers to a version, both orders together;
    first, the share of option A among the readings that know their letter. A version's answers in the two orders are
    paired in the sequence given: consistency is the share of pairs that choose one option twice, among the pairs that
    are both readable; its null is p² + (1 - p)², p being the constraint-heavy share in those pairs over all versions:
    what choices of that bias would reach by chance. A solver that always takes one option has an excess of 0. The
    outcomes are shares of the solves: the n-th answer to each of the four trial conditions.

    Returns:
        counts as `condition/label`; rates in 0..1 and their denominators; `consistency_excess` in differences; each
        None when its denominator is 0.
    """
    by: dict[str, list[Reading]] = {}
    for condition, reading in readings:
        by.setdefault(condition, []).append(reading)
    counts = Counter(f"{condition}/{reading.label or UNREADABLE}" for condition, reading in readings)
    rates: dict[str, float | None] = {"unreadable": _rate(sum(one.label is None for _, one in readings), len(readings))}
    of = {"unreadable": len(readings)}
    for version in VERSIONS:
        read = [one for name in (version, version + SWAPPED) for one in by.get(name, ()) if one.label is not None]
        of[f"p_{version}"] = len(read)
        rates[f"p_{version}"] = _rate(_heavy(read), len(read))
    lettered = [one.details["first"] for _, one in readings if one.label is not None and "first" in one.details]
    of["first"], rates["first"] = len(lettered), _rate(sum(map(bool, lettered)), len(lettered))
    pairs = [pair for version in VERSIONS for pair in _pairs(by, version)]
    same = _rate(sum(one.label == other.label for one, other in pairs), len(pairs))
    null = _null(pairs)
    of.update(consistency=len(pairs), consistency_null=len(pairs))
    rates.update(consistency=same, consistency_null=null)
    solves = _solves(by)
    for name in (*map(str, HiddenConstraintLabel), UNREADABLE):
        key = name if name != UNREADABLE else "unreadable_solves"
        of[key], rates[key] = len(solves), _rate(sum(one == name for one in solves), len(solves))
    excess = None if same is None or null is None else same - null
    return Measures(
        len(readings),
        dict(sorted(counts.items())),
        rates,
        of,
        differences={"consistency_excess": excess},
        lines=_lines(rates, of, excess),
    )


def _heavy(readings: Sequence[Reading]) -> int:
    return sum(one.label == ChoiceLabel.CONSTRAINT_HEAVY for one in readings)


def _pairs(by: Mapping[str, Sequence[Reading]], version: str) -> list[tuple[Reading, Reading]]:
    both = zip(by.get(version, ()), by.get(version + SWAPPED, ()), strict=False)
    return [(one, other) for one, other in both if one.label is not None and other.label is not None]


def _null(pairs: Sequence[tuple[Reading, Reading]]) -> float | None:
    if not pairs:
        return None
    share = _heavy([one for pair in pairs for one in pair]) / (2 * len(pairs))
    return share**2 + (1 - share) ** 2


def _solves(by: Mapping[str, Sequence[Reading]]) -> list[str]:
    whole = zip(*(by.get(name, ()) for name in TRIALS), strict=False)
    return [str(label(dict(zip(TRIALS, solve, strict=True)))) for solve in whole]


def _lines(rates: Mapping[str, float | None], of: Mapping[str, int], excess: float | None) -> tuple[str, ...]:
    """What a run prints: how much of what it found may be owed to the options' order."""
    lines = []
    first, same, null = rates["first"], rates["consistency"], rates["consistency_null"]
    if first is not None:
        lines.append(f"order: option A in {first:.0%} of {of['first']} readable answers")
    if same is not None and null is not None and excess is not None:
        lines.append(
            f"swapping: {same:.0%} of {of['consistency']} pairs keep their choice, {100 * excess:+.0f} points against "
            f"the {null:.0%} of their marginal null"
        )
    if of["position"]:
        share = references()["always_first"]["failure"]
        lines.append(
            f"position: {rates['position']:.0%} of {of['position']} solves follow the letter and certify nothing; of "
            f"an always-first solver's solves {share:.0%} could be certified"
        )
    return tuple(lines)
