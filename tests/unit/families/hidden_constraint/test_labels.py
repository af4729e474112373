from __future__ import annotations

import itertools

import pytest

from forge.families.hidden_constraint.labels import TRIALS, outcome, version_of
from forge.model.checks import Reading
from forge.model.profile import Weights
from forge.model.words import Cause, Group, Tier

C, H = "constraint_heavy", "heuristic"


def read(*labels: str | None) -> dict[str, Reading]:
    made = (Reading(label, None if label else "empty") for label in labels)
    return dict(zip(TRIALS, made, strict=True))


@pytest.mark.parametrize(
    ("labels", "expected", "group", "tier"),
    [
        ((C, C, H, H), "both_right", Group.NONE, None),
        ((H, H, H, H), "under_activation", Group.STRONG, Tier.STRONG),
        ((C, C, C, C), "over_activation", Group.SOFT, Tier.SOFT),
        ((H, H, C, C), "both_wrong", Group.STRONG, Tier.STRONG),
        ((C, H, H, H), "position", Group.NONE, None),
        ((H, H, C, H), "position", Group.NONE, None),
        ((C, H, None, None), "position", Group.NONE, None),
        ((H, H, None, H), "unreadable", Group.NONE, None),
        ((None, H, H, H), "unreadable", Group.NONE, None),
    ],
)
def test_what_a_solve_amounts_to(
    labels: tuple[str | None, ...], expected: str, group: Group, tier: Tier | None
) -> None:
    made = outcome(read(*labels), Weights())
    assert (made.label, made.group, made.tier) == (expected, group, tier)
    assert made.failure is (tier is not None)
    assert made.passed is (expected == "both_right")
    assert made.cause is (Cause.POSITION if expected == "position" else None)


def test_every_combination_has_an_outcome_and_strong_means_that_active_is_consistently_wrong() -> None:
    for labels in itertools.product((C, H, None), repeat=4):
        made = outcome(read(*labels), Weights())
        assert (made.group is Group.STRONG) <= (labels[:2] == (H, H))
        assert (made.group is Group.SOFT) == (labels == (C, C, C, C))
        if made.failure:
            assert None not in labels


def test_missing_readings_decide_nothing() -> None:
    assert outcome({}, Weights()).label == "unreadable"


def test_a_condition_is_a_version_and_an_order() -> None:
    assert version_of("explicit_swapped") == ("explicit", True)
    assert version_of("no_conflict") == ("no_conflict", False)
