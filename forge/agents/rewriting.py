"""What generator, annealer and enhancer share: a template, a named voice, one message back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forge.agents.room import Room, ask_reply
from forge.llm.structured import Malformed
from forge.model.calls import Fault
from forge.model.ids import digest
from forge.model.words import Operator


@dataclass(frozen=True, slots=True)
class Wording:
    """What a rewriter gave back: a text, or None with the reason why there is none."""

    text: str | None
    by: str
    reason: str = ""
    keys: tuple[str, ...] = ()


async def rewrite(
    room: Room, operator: Operator, seed: Any, parent: str, *, intensity: int, ordinal: int
) -> Wording | Fault:
    """Ask the operator's role for another wording of `parent`.

    Args:
        intensity: 1-4 for annealers; 0 elsewhere.
        ordinal: the ordinal of this request within (seed, role, parent, operator, intensity); it is the sample
            index, so asking again is another answer and running again is the same one.
    """
    role = operator.role
    template_id = room.family.templates[role]
    voices = room.prompts.get(template_id).extra.get("voices") or ["yourself"]
    pick = int(digest([seed.content, parent, operator.value, intensity, ordinal])[:8], 16) % len(voices)
    variables = {
        **room.family.context(role, seed, parent, None),
        "voice": voices[pick],
        "intensity": intensity,
        "operator": operator.value,
    }
    reply = await ask_reply(room, role, template_id, variables, seed=seed.id, sample=ordinal)
    if isinstance(reply, Fault):
        return reply
    by = " | ".join(sorted({answer.model for answer in reply.answers}))
    keys = tuple(answer.key for answer in reply.answers)
    if isinstance(reply, Malformed):
        return Wording(None, by, f"malformed reply: {reply.reason}", keys)
    text = " ".join(str(reply.value.model_dump()["message"]).split())
    return Wording(text or None, by, "" if text else "the reply holds no message", keys)
