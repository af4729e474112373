"""The judge: labels one response under one condition, by rules or by a model. The solver's text is data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from forge.agents.fence import fenced
from forge.agents.room import Room, ask_reply
from forge.llm.structured import Malformed, Parsed
from forge.model.calls import Fault
from forge.model.checks import Reading, Response
from forge.model.words import Role


async def judge(room: Room, item: Any, condition: str, response: Response, *, seed: str) -> Reading | Fault:
    """Return the reading of a response.

    Rules read it where the profile says so. A model gets a rubric that names only its own condition and the response
    inside a fence. A strict pass on a response that visibly executes the task is asked again once, with the
    contradiction named; if the judge insists, its label stands and the reading carries `insisted`.
    """
    scope = room.profile.scope
    if room.spec(Role.JUDGE).rules or not _scoped(response, scope).strip():
        return room.family.read(item, condition, response, scope)
    reply = await _ask(room, item, condition, response, seed, None)
    if isinstance(reply, Fault):
        return reply
    first = _reading(room, condition, response, reply)
    doubt = room.family.consistent(item, condition, response, first.label) if first.label else None
    if doubt is None:
        return first
    again = await _ask(room, item, condition, response, seed, doubt)
    if isinstance(again, Fault):
        return again
    second = _reading(room, condition, response, again)
    details = {**second.details, "asked_again": doubt, "first_label": first.label}
    if second.label == first.label:
        details["insisted"] = True
    return replace(second, details=details, keys=first.keys + second.keys)


def _scoped(response: Response, scope: str) -> str:
    return f"{response.reasoning}\n{response.text}" if scope == "reasoning+answer" else response.text


async def _ask(
    room: Room, item: Any, condition: str, response: Response, seed: str, doubt: str | None
) -> Parsed[BaseModel] | Malformed | Fault:
    text = _scoped(response, room.profile.scope)
    variables = {**room.family.judge_context(item, condition, response), "response": fenced(text), "doubt": doubt}
    return await ask_reply(room, Role.JUDGE, room.family.judge_template(condition), variables, seed=seed)


def _reading(room: Room, condition: str, response: Response, reply: Parsed[BaseModel] | Malformed) -> Reading:
    scope = room.profile.scope
    by = " | ".join(sorted({answer.model for answer in reply.answers}))
    keys = tuple(answer.key for answer in reply.answers)
    if isinstance(reply, Malformed):
        return Reading(None, f"bad judge reply: {reply.reason}", scope=scope, by=by, cut=response.cut, keys=keys)
    fields = reply.value.model_dump(mode="json")
    label, quote = str(fields["label"]), str(fields.get("quote", ""))
    if label not in room.family.judge_labels(condition):
        return Reading(None, f"unknown label {label[:40]}", scope=scope, by=by, cut=response.cut, keys=keys)
    start = _scoped(response, scope).find(quote) if quote else -1
    return Reading(
        label=label,
        evidence=quote if start >= 0 else "",
        start=start,
        end=start + len(quote) if start >= 0 else -1,
        scope=scope,
        by=by,
        cut=response.cut,
        details={"reason": str(fields.get("reason", "")), "quote_found": start >= 0},
        keys=keys,
    )
