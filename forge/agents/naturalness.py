"""The naturalness checker: five scores from 1 to 5, and their mean. (SaliTrap E.2)"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forge.agents.room import Room, check
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.words import Role

SCORES = ("life_naturalness", "conciseness", "concealment", "numeric_naturalness", "no_escape_word")


async def naturalness(room: Room, seed: Any, text: str, parent: str | None) -> Verdict | Fault:
    """Return the mean of the five scores as `score`; the routing table decides what it is worth."""
    verdict, fields = await check(room, Role.NATURALNESS, seed, text, parent)
    if isinstance(verdict, Fault) or fields is None:
        return verdict
    score = sum(float(fields[name]) for name in SCORES) / len(SCORES)
    return replace(verdict, passed=True, score=round(score, 6), reason=str(fields["reason"]))
