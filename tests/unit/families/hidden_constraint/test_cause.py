from __future__ import annotations

import pytest

from forge.families.hidden_constraint.cause import cause, follows_letter
from forge.model.words import Cause, Knows

C, H, CUT = "constraint_heavy", "heuristic", "unreadable: cut"


def counts(**versions: tuple[str, str]) -> dict[str, dict[str, int]]:
    """Three samples of one label for each order of each version."""
    made = {}
    for version, (plain, swapped) in versions.items():
        made[version] = {plain: 3}
        made[f"{version}_swapped"] = {swapped: 3}
    return made


FAILS = {"active": (H, H), "removed": (H, H)}
OVER = {"active": (C, C), "removed": (C, C)}


@pytest.mark.parametrize(
    ("knows", "given", "expected"),
    [
        (Knows.YES, counts(**FAILS, explicit=(C, C), no_conflict=(H, H)), Cause.SALIENCE),
        (Knows.YES, counts(**OVER, explicit=(C, C), no_conflict=(H, H)), Cause.SALIENCE),
        (Knows.NO, counts(**FAILS, explicit=(C, C), no_conflict=(H, H)), Cause.IGNORANCE),
        (Knows.YES, counts(**FAILS, explicit=(H, H), no_conflict=(H, H)), Cause.COMPLIANCE),
        (Knows.YES, counts(**OVER, explicit=(C, C), no_conflict=(C, C)), Cause.INCAPACITY),
        (Knows.YES, counts(**FAILS, explicit=(C, C), no_conflict=(CUT, CUT)), Cause.UNCLEAR),
        (Knows.YES, counts(**FAILS, explicit=(C, C), no_conflict=(C, H)), Cause.UNCLEAR),
        (Knows.YES, counts(**FAILS, explicit=(C, H), no_conflict=(H, H)), Cause.UNCLEAR),
        (Knows.UNCLEAR, counts(**FAILS, explicit=(C, C), no_conflict=(H, H)), Cause.UNCLEAR),
        (Knows.YES, counts(active=(C, H), removed=(H, H), explicit=(C, C), no_conflict=(H, H)), Cause.POSITION),
        (Knows.YES, counts(active=(C, C), removed=(H, C), explicit=(C, C), no_conflict=(H, H)), Cause.POSITION),
        (Knows.YES, {}, Cause.INCAPACITY),
    ],
)
def test_the_cause(knows: Knows, given: dict[str, dict[str, int]], expected: Cause) -> None:
    assert cause(knows, given) is expected


def test_following_the_letter_takes_a_majority_in_both_orders() -> None:
    assert follows_letter({"active": {C: 3, H: 2}, "active_swapped": {H: 4, C: 1}}, "active")
    assert not follows_letter({"active": {C: 3, H: 2}, "active_swapped": {H: 2, C: 2, CUT: 1}}, "active")
    assert not follows_letter({}, "active")
