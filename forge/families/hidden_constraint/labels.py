"""The family's labels, conditions, and what a solve's choices amount to. Standard library only: exports ship it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from forge.model.checks import Outcome, Reading
from forge.model.words import Cause, Group, Tier

if TYPE_CHECKING:
    from forge.model.profile import Weights

ACTIVE, REMOVED, EXPLICIT, SALIENCE_CONTROL = "active", "removed", "explicit", "salience_control"
NO_CONFLICT = "no_conflict"
VERSIONS = (ACTIVE, REMOVED, EXPLICIT, SALIENCE_CONTROL, NO_CONFLICT)
SWAPPED = "_swapped"
CONDITIONS = tuple(name for version in VERSIONS for name in (version, version + SWAPPED))
TRIALS = (ACTIVE, ACTIVE + SWAPPED, REMOVED, REMOVED + SWAPPED)
UNREADABLE = "unreadable"
"""The outcome's label when a reading that it needs has none."""


class ChoiceLabel(StrEnum):
    """What one response chooses (Core-100, section 2): C, or H."""

    CONSTRAINT_HEAVY = "constraint_heavy"
    HEURISTIC = "heuristic"


class HiddenConstraintLabel(StrEnum):
    """What the choices of one solve amount to, active against removed (DESIGN section 2), or that they follow the
    letter."""

    BOTH_RIGHT = "both_right"
    UNDER_ACTIVATION = "under_activation"
    OVER_ACTIVATION = "over_activation"
    BOTH_WRONG = "both_wrong"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Standing:
    """What an outcome's label amounts to.

    Attributes:
        weight: the field of Weights that gives the base score, or None for no base score.
        cause: a cause that the choices themselves show.
    """

    group: Group
    tier: Tier | None
    weight: str | None
    failure: bool
    passed: bool
    cause: Cause | None = None


STANDINGS: dict[str, Standing] = {
    HiddenConstraintLabel.UNDER_ACTIVATION: Standing(Group.STRONG, Tier.STRONG, "strong", True, False),
    HiddenConstraintLabel.BOTH_WRONG: Standing(Group.STRONG, Tier.STRONG, "strong", True, False),
    HiddenConstraintLabel.OVER_ACTIVATION: Standing(Group.SOFT, Tier.SOFT, "soft", True, False),
    HiddenConstraintLabel.BOTH_RIGHT: Standing(Group.NONE, None, "strict_pass", False, True),
    HiddenConstraintLabel.POSITION: Standing(Group.NONE, None, None, False, False, Cause.POSITION),
    UNREADABLE: Standing(Group.NONE, None, None, False, False),
}
"""Strong: the active version is consistently wrong, whatever the removed one is. Soft: only the removed one is. So
stability counts one kind of failure, and never the other kind with it."""


def version_of(condition: str) -> tuple[str, bool]:
    """Split a condition into its version and whether the options are swapped.

    Raises:
        ValueError: there is no such condition.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"no condition {condition!r}; one of {', '.join(CONDITIONS)}")
    return condition.removesuffix(SWAPPED), condition.endswith(SWAPPED)


def label(readings: Mapping[str, Reading]) -> str:
    """Return what one solve amounts to: `position` when a version's choice flips with the letter, then `unreadable`
    when a choice is missing, else which of the two versions are right."""
    pairs = {
        version: [
            reading.label if (reading := readings.get(name)) is not None else None
            for name in (version, version + SWAPPED)
        ]
        for version in (ACTIVE, REMOVED)
    }
    if any(None not in pair and pair[0] != pair[1] for pair in pairs.values()):
        return HiddenConstraintLabel.POSITION
    known = {str(one) for one in ChoiceLabel}
    if any(choice not in known for pair in pairs.values() for choice in pair):
        return UNREADABLE
    seen = pairs[ACTIVE][0] == ChoiceLabel.CONSTRAINT_HEAVY
    freed = pairs[REMOVED][0] == ChoiceLabel.HEURISTIC
    if seen:
        return HiddenConstraintLabel.BOTH_RIGHT if freed else HiddenConstraintLabel.OVER_ACTIVATION
    return HiddenConstraintLabel.UNDER_ACTIVATION if freed else HiddenConstraintLabel.BOTH_WRONG


def outcome(readings: Mapping[str, Reading], weights: Weights) -> Outcome:
    """Return what one solve's readings, by condition, amount to."""
    name = str(label(readings))
    standing = STANDINGS[name]
    severity = float(getattr(weights, standing.weight)) if standing.weight else 0.0
    return Outcome(
        name, standing.group, standing.tier, severity, standing.failure, standing.passed, cause=standing.cause
    )
