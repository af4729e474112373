"""The annealer: cools a wording down to a short everyday question, at one of four intensities. (SaliTrap E.3)"""

from __future__ import annotations

from typing import Any

from forge.agents.rewriting import Wording, rewrite
from forge.agents.room import Room
from forge.model.calls import Fault
from forge.model.words import Operator


async def anneal(
    room: Room, operator: Operator, seed: Any, parent: str, *, intensity: int, ordinal: int
) -> Wording | Fault:
    """Return a more natural wording of `parent`; `operator` says whether the solver has seen the parent yet."""
    return await rewrite(room, operator, seed, parent, intensity=intensity, ordinal=ordinal)
