"""Why a certified solver failed: from the probe and from what it chose in the other versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from forge.families.hidden_constraint.labels import (
    ACTIVE,
    EXPLICIT,
    NO_CONFLICT,
    REMOVED,
    SWAPPED,
    UNREADABLE,
    ChoiceLabel,
)
from forge.model.words import Cause, Knows

CUT = f"{UNREADABLE}: cut"
Counts = Mapping[str, Mapping[str, int]]


def _pooled(counts: Counts, version: str) -> Counter[str]:
    return Counter(counts.get(version, {})) + Counter(counts.get(version + SWAPPED, {}))


def majority(counts: Counts, version: str, label: str) -> bool:
    """Whether more than half of a version's samples in both orders, unreadable ones included, bear a label."""
    pooled = _pooled(counts, version)
    return 2 * pooled[label] > pooled.total()


def follows_letter(counts: Counts, version: str) -> bool:
    """Whether most samples choose one option in one order and the other option in the other order."""
    sides = [Counter(counts.get(name, {})) for name in (version, version + SWAPPED)]
    chosen = [[label for label in ChoiceLabel if 2 * side[label] > side.total()] for side in sides]
    return all(chosen) and chosen[0] != chosen[1]


def cause(knows: Knows, counts: Counts) -> Cause:
    """Return the cause; first match (DESIGN section 2, cause).

    position: the choices in the active or the removed version follow the letter. incapacity: it does not take the
    heuristic option even in the version without conflict, which is the control of both failures: a solver that always
    takes the constraint-heavy option fails it; unclear instead when most of those answers were cut. ignorance: the
    probe says that it does not know the facts. compliance: it takes the heuristic option even when the prerequisite is
    told. salience: it knows the facts, chooses right when told and in the control, and fails all the same. Else
    unclear; so is a diagnosis that follows the letter, which has no majority.

    Args:
        knows: the balanced probe's verdict.
        counts: condition → label → count over all fresh samples, of the stability test and of the diagnosis.
    """
    if any(follows_letter(counts, version) for version in (ACTIVE, REMOVED)):
        return Cause.POSITION
    if not majority(counts, NO_CONFLICT, ChoiceLabel.HEURISTIC):
        if majority(counts, NO_CONFLICT, CUT) or follows_letter(counts, NO_CONFLICT):
            return Cause.UNCLEAR
        return Cause.INCAPACITY
    if knows is Knows.NO:
        return Cause.IGNORANCE
    if majority(counts, EXPLICIT, ChoiceLabel.HEURISTIC):
        return Cause.COMPLIANCE
    if knows is Knows.YES and majority(counts, EXPLICIT, ChoiceLabel.CONSTRAINT_HEAVY):
        return Cause.SALIENCE
    return Cause.UNCLEAR
