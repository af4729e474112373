"""The voice: words the opening of a composed message the way a certain person would; the rest of it stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forge.agents.rewriting import Wording
from forge.agents.room import Room, ask_reply
from forge.llm.structured import Malformed
from forge.model.calls import Fault
from forge.model.ids import digest
from forge.model.words import Role


async def voice(
    room: Room, template: str, opening: str, keep: Sequence[str], *, label: str, sample: int = 0
) -> Wording | Fault:
    """Ask for another wording of `opening`; which person speaks depends on the opening alone.

    Args:
        keep: words and numbers that must stay as they are.
        label: the seed it is for, in events and errors.
        sample: another number is another answer.
    """
    variables = asked(room, template, opening, keep)
    reply = await ask_reply(room, Role.GENERATOR, template, variables, seed=label, sample=sample)
    if isinstance(reply, Fault):
        return reply
    by = " | ".join(sorted({answer.model for answer in reply.answers}))
    keys = tuple(answer.key for answer in reply.answers)
    if isinstance(reply, Malformed):
        return Wording(None, by, f"malformed reply: {reply.reason}", keys)
    return Wording(" ".join(str(reply.value.model_dump()["sentence"]).split()), by, keys=keys)


def asked(room: Room, template: str, opening: str, keep: Sequence[str]) -> dict[str, Any]:
    """The template's variables for an opening."""
    voices = room.prompts.get(template).extra.get("voices") or ["yourself"]
    person = voices[int(digest([opening, list(keep)])[:8], 16) % len(voices)]
    return {"opening": opening, "keep": list(keep), "voice": person}
