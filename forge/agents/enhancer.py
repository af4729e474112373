"""The enhancer: hides a trap that the solver saw through. (SaliTrap 3.3.3, camouflage)"""

from __future__ import annotations

from typing import Any

from forge.agents.rewriting import Wording, rewrite
from forge.agents.room import Room
from forge.model.calls import Fault
from forge.model.words import Operator


async def enhance(room: Room, seed: Any, parent: str, *, intensity: int, ordinal: int) -> Wording | Fault:
    """Return a wording of `parent` in which the trap is less conspicuous."""
    return await rewrite(room, Operator.ENHANCE, seed, parent, intensity=intensity, ordinal=ordinal)
