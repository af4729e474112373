"""What generator, annealer and enhancer share: a template, a named voice, one message back."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from forge.agents.room import Room, ask_messages
from forge.llm.structured import Malformed
from forge.model.calls import Fault, Message
from forge.model.ids import digest
from forge.model.words import Operator, Role


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

    Where the template says what to say `again`, a wording that the family's guards object to is asked for once more:
    small models often lose one number and put it back when told. The second wording stands, whatever the guards say.

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
    messages = room.prompts.render(template_id, variables)
    first = await _worded(room, role, template_id, messages, seed.id, ordinal)
    if isinstance(first, Fault) or first.text is None:
        return first
    again = room.prompts.get(template_id).extra.get("again")
    if not again or not room.profile.limits.rewrite_repairs or not room.family.guards(seed, first.text, parent):
        return first
    told = Message("user", room.prompts.fill(template_id, str(again), variables))
    answered = Message("assistant", json.dumps({"message": first.text}, ensure_ascii=False))
    second = await _worded(room, role, template_id, (*messages, answered, told), seed.id, ordinal)
    if isinstance(second, Fault):
        return second
    return replace(second, keys=first.keys + second.keys)


async def _worded(
    room: Room, role: Role, template_id: str, messages: tuple[Message, ...], seed: str, ordinal: int
) -> Wording | Fault:
    reply = await ask_messages(room, role, template_id, messages, seed=seed, sample=ordinal)
    if isinstance(reply, Fault):
        return reply
    by = " | ".join(sorted({answer.model for answer in reply.answers}))
    keys = tuple(answer.key for answer in reply.answers)
    if isinstance(reply, Malformed):
        return Wording(None, by, f"malformed reply: {reply.reason}", keys)
    text = " ".join(str(reply.value.model_dump()["message"]).split())
    return Wording(text or None, by, "" if text else "the reply holds no message", keys)
