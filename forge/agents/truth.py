"""The truth checker: does a wording keep the trap's physical truth? (SaliTrap E.2)"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forge.agents.room import Room, check
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.words import Role


async def truth(room: Room, seed: Any, text: str, parent: str | None) -> Verdict | Fault:
    """Return whether the absurd action is still absurd in `text`."""
    verdict, fields = await check(room, Role.TRUTH, seed, text, parent)
    if isinstance(verdict, Fault) or fields is None:
        return verdict
    return replace(verdict, passed=bool(fields["valid"]), reason=str(fields["reason"]))
