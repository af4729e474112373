"""The proposer: asks the generator's model for a batch of new seeds. (SaliTrap 3.3.1, E.1)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forge.agents.room import Room, ask_reply
from forge.llm.structured import Malformed
from forge.model.calls import Fault
from forge.model.words import Role


async def propose(
    room: Room, template: str, variables: Mapping[str, Any], *, label: str, sample: int
) -> tuple[tuple[Mapping[str, Any], ...], str] | Malformed | Fault:
    """Return the entries of the reply as they came, and who answered."""
    reply = await ask_reply(room, Role.GENERATOR, template, dict(variables), seed=label, sample=sample)
    if isinstance(reply, Malformed | Fault):
        return reply
    entries = reply.value.model_dump()["seeds"]
    return tuple(entries), " | ".join(sorted({answer.model for answer in reply.answers}))
