"""The viability checker: is a raw seed worth growing? (SaliTrap E.1)"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forge.agents.room import Room, check
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.words import Grade, Role


async def viability(room: Room, seed: Any) -> Verdict | Fault:
    """Return the six checks and a grade; A, A- and B pass. A malformed reply passes nothing."""
    if room.spec(Role.VIABILITY).rules:
        return room.family.viability(seed)
    verdict, fields = await check(room, Role.VIABILITY, seed, room.family.wording(seed), None)
    if isinstance(verdict, Fault):
        return verdict
    if fields is None:
        return replace(verdict, grade=Grade.C.value)
    grade = str(fields["seed_grade"])
    return replace(verdict, passed=grade != Grade.C, grade=grade, reason=str(fields["reason"]))
