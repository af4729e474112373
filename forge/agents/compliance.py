"""The compliance checker: does a rewrite keep its parent's trap, numbers and aim? (SaliTrap 3.3.3)"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forge.agents.room import Room, check
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.words import Role


async def compliance(room: Room, seed: Any, text: str, parent: str | None) -> Verdict | Fault:
    """Return whether the child keeps what its parent had; a child that does not is discarded."""
    verdict, fields = await check(room, Role.COMPLIANCE, seed, text, parent)
    if isinstance(verdict, Fault) or fields is None:
        return verdict
    passed = bool(fields["trap_preserved"]) and bool(fields["numbers_preserved"]) and not fields["subtask_escape"]
    return replace(verdict, passed=passed, reason=str(fields["reason"]))
