"""What every agent is given: the family, the prompts, the profile, and somebody to ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from forge.agents.fence import fenced
from forge.families.base import Family
from forge.llm.structured import Malformed, Parsed, ask_json
from forge.model.calls import Answer, Fault, Message, Request
from forge.model.checks import Verdict
from forge.model.errors import PromptError
from forge.model.profile import Profile, RoleSpec
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.prompts.replies import reply_model, strict_schema


class Asker(Protocol):
    """The gateway, or a fake one."""

    async def ask(self, request: Request) -> Answer | Fault:
        """Return an answer, or a fault after all retries."""
        ...


@dataclass(frozen=True)
class Room:
    """Where agents work. Holds no state of its own."""

    family: Family
    prompts: PromptLibrary
    profile: Profile
    gateway: Asker

    def spec(self, role: Role) -> RoleSpec:
        """Who plays a role."""
        return self.profile.roles[role]


async def ask_reply(
    room: Room, role: Role, template_id: str, variables: dict[str, Any], *, seed: str, sample: int = 0
) -> Parsed[BaseModel] | Malformed | Fault:
    """Render a template, ask for its reply schema, and parse, with one repair.

    Raises:
        PromptError: the template is missing, malformed, or a variable is.
    """
    messages = room.prompts.render(template_id, variables)
    return await ask_messages(room, role, template_id, messages, seed=seed, sample=sample)


async def ask_messages(
    room: Room, role: Role, template_id: str, messages: tuple[Message, ...], *, seed: str, sample: int = 0
) -> Parsed[BaseModel] | Malformed | Fault:
    """Ask for a template's reply schema with messages already rendered, and parse, with one repair."""
    template = room.prompts.get(template_id)
    if template.reply is None:
        raise PromptError(
            "the template has no reply schema", where=template.path, fix="add `reply:` to its front matter"
        )
    request = Request(role=role, messages=messages, schema=strict_schema(template.reply), sample=sample, seed=seed)
    return await ask_json(room.gateway, request, reply_model(template_id, template.reply))


async def check(
    room: Room, role: Role, seed: Any, text: str, parent: str | None
) -> tuple[Verdict | Fault, dict[str, Any] | None]:
    """Ask a checker about a wording: by rules, or by a model; the model's own fields come beside the verdict.

    A reply that stays malformed after its repair is a failed verdict with the reason, never a pass.
    """
    if room.spec(role).rules:
        return room.family.check(role, seed, text, parent), None
    variables = {
        **room.family.context(role, seed, text, parent),
        "fenced_text": fenced(text, "MESSAGE"),
        "fenced_parent": fenced(parent or "", "MESSAGE"),
    }
    reply = await ask_reply(room, role, room.family.templates[role], variables, seed=seed.id)
    if isinstance(reply, Fault):
        return reply, None
    by = " | ".join(sorted({answer.model for answer in reply.answers}))
    keys = tuple(answer.key for answer in reply.answers)
    if isinstance(reply, Malformed):
        return Verdict(role.value, passed=False, by=by, reason=f"malformed reply: {reply.reason}", keys=keys), None
    details = reply.value.model_dump(mode="json")
    return Verdict(role.value, passed=False, by=by, details=details, keys=keys), details
