"""The generator: rewords boldly, so that numbers and procedure draw the solver in. (SaliTrap E.2)"""

from __future__ import annotations

from typing import Any

from forge.agents.rewriting import Wording, rewrite
from forge.agents.room import Room
from forge.model.calls import Fault
from forge.model.words import Operator


async def generate(room: Room, seed: Any, parent: str, *, intensity: int, ordinal: int) -> Wording | Fault:
    """Return a new wording of `parent`."""
    return await rewrite(room, Operator.GENERATE, seed, parent, intensity=intensity, ordinal=ordinal)
