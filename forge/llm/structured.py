"""JSON from a model: find it, validate it, and ask once more when it does not fit. Never raises on a bad reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from forge.model.calls import Answer, Fault, Message, Request
from forge.model.errors import shorten
from forge.text.jsontext import find_json

Reply = TypeVar("Reply", bound=BaseModel)

EMPTY = "(empty)"
"""Stands for an empty reply in the repair: some providers refuse an assistant message without content."""


class Asks(Protocol):
    """Whatever answers requests: the gateway, or a fake of it."""

    async def ask(self, request: Request) -> Answer | Fault:
        """Answer a request."""
        ...


@dataclass(frozen=True, slots=True)
class Parsed(Generic[Reply]):
    """A reply that fits, and the answers it took."""

    value: Reply
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Malformed:
    """No fitting reply in two answers, and why the last one does not fit."""

    reason: str
    answers: tuple[Answer, ...]


async def ask_json(gateway: Asks, request: Request, reply: type[Reply]) -> Parsed[Reply] | Malformed | Fault:
    """Ask for JSON that fits `reply`, and once more, showing what was wrong, when it does not.

    The schema of `reply` is sent unless the request brings its own.

    Returns:
        Parsed; Malformed with a reason after two answers; or the fault that kept an answer from coming.
    """
    if request.schema is None:
        request = replace(request, schema=reply.model_json_schema())
    first = await gateway.ask(request)
    if isinstance(first, Fault):
        return first
    value = parse(first, reply)
    if not isinstance(value, str):
        return Parsed(value, (first,))
    second = await gateway.ask(repair(request, first, value))
    if isinstance(second, Fault):
        # A repair that the provider will never take (too long, mostly) is no second chance: the first answer stands.
        return Malformed(value, (first,)) if second.final else second
    value = parse(second, reply)
    if not isinstance(value, str):
        return Parsed(value, (first, second))
    return Malformed(value, (first, second))


def repair(request: Request, answer: Answer, reason: str) -> Request:
    """Return the request that shows a model its reply and what is wrong with it: other messages, so another key."""
    said = Message("assistant", answer.text if answer.text.strip() else EMPTY)
    wanted = Message(
        "user",
        f"That reply cannot be used: {reason}\n"
        "Reply again with one JSON object that fits the schema, and nothing else.",
    )
    return replace(request, messages=(*request.messages, said, wanted))


def parse(answer: Answer, reply: type[Reply]) -> Reply | str:
    """Return the value in an answer, or the reason why there is none."""
    cut = " (the reply was cut at the token limit)" if answer.cut else ""
    if not answer.text.strip():
        return f"the reply is empty{cut}"
    if answer.finish == "content_filter":
        return "the provider's content filter ended the reply"
    try:
        found = find_json(answer.text)
    except ValueError as error:
        return f"{shorten(str(error))}{cut}"
    try:
        return reply.model_validate(found)
    except ValidationError as error:
        return f"{_explained(error)}{cut}"


def _explained(error: ValidationError) -> str:
    """Say what does not fit: fields and rules, with the value given, shortened."""
    parts = []
    for problem in error.errors(include_url=False)[:5]:
        place = ".".join(str(step) for step in problem["loc"]) or "the whole reply"
        parts.append(f"{place}: {problem['msg']} (given: {shorten(repr(problem.get('input')), 60)})")
    more = error.error_count() - len(parts)
    return "; ".join(parts) + (f"; and {more} more" if more > 0 else "")
