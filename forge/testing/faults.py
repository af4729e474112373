"""Troubles a provider makes, scripted: a reply function for MockServer that misbehaves as told."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from typing import Any

from forge.testing.mockserver import Reply, ReplyFn, completion
from forge.testing.replies import Dice, default_reply, schema_of


class Trouble(StrEnum):
    """What can go wrong with one reply. The first group are faults; then refusals of the provider; then answers."""

    RATE_LIMIT = "rate_limit"
    SERVER_500 = "server_500"
    SERVER_503 = "server_503"
    SLOW = "slow"
    DROPPED = "dropped"
    NO_CHOICES = "no_choices"
    NOT_JSON = "not_json"

    UNAUTHORIZED = "unauthorized"
    NOT_FOUND = "not_found"
    CONTEXT_LENGTH = "context_length"

    EMPTY = "empty"
    CUT = "cut"
    FENCED = "fenced"
    WRONG_JSON = "wrong_json"
    REFUSAL = "refusal"
    FILTERED = "filtered"
    ALIEN_LABEL = "alien_label"


FAULTS = (
    Trouble.RATE_LIMIT,
    Trouble.SERVER_500,
    Trouble.SERVER_503,
    Trouble.SLOW,
    Trouble.DROPPED,
    Trouble.NO_CHOICES,
    Trouble.NOT_JSON,
)
"""No message comes; another try may help."""
BAD_ANSWERS = (
    Trouble.EMPTY,
    Trouble.CUT,
    Trouble.FENCED,
    Trouble.WRONG_JSON,
    Trouble.REFUSAL,
    Trouble.FILTERED,
    Trouble.ALIEN_LABEL,
)
"""A message comes, but not the one that was asked for."""

REFUSAL_TEXT = "I'm sorry, but I can't help with that."
ALIEN = "no_such_label"


@dataclass(frozen=True, slots=True)
class Scripted:
    """One trouble with its settings.

    Attributes:
        trouble: which.
        retry_after: seconds named in Retry-After, or None for no header.
        as_date: write Retry-After as an HTTP date.
        delay: seconds before a SLOW reply.
    """

    trouble: Trouble
    retry_after: float | None = None
    as_date: bool = False
    delay: float = 3600.0


def make(scripted: Scripted, body: dict[str, Any], now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Reply:
    """Return the reply that a trouble gives to a request. Troubles that spoil an answer spoil the default one."""
    trouble = scripted.trouble
    good = default_reply(body)
    headers = _retry_header(scripted, now)
    match trouble:
        case Trouble.RATE_LIMIT:
            return _error(429, "Rate limit reached", "rate_limit_exceeded", headers)
        case Trouble.SERVER_500:
            return _error(500, "The server had an error", "server_error", headers)
        case Trouble.SERVER_503:
            return _error(503, "The engine is overloaded", "overloaded", headers)
        case Trouble.SLOW:
            return Reply(body=completion(body, good), delay=scripted.delay)
        case Trouble.DROPPED:
            return Reply(drop=True)
        case Trouble.NO_CHOICES:
            return Reply(body={**completion(body, good), "choices": []})
        case Trouble.NOT_JSON:
            return Reply(body=b"<html><body>Bad gateway</body></html>", content_type="text/html")
        case Trouble.UNAUTHORIZED:
            return _error(401, "Incorrect API key provided", "invalid_api_key", {})
        case Trouble.NOT_FOUND:
            return _error(404, "The model does not exist", "model_not_found", {})
        case Trouble.CONTEXT_LENGTH:
            return _error(400, "This model's maximum context length is 2048 tokens", "context_length_exceeded", {})
        case Trouble.FILTERED:
            return Reply(body=completion(body, "", finish="content_filter"))
        case Trouble.CUT:
            return Reply(body=completion(body, good[: len(good) // 2], finish="length"))
        case _:
            return Reply(body=completion(body, _spoilt(trouble, body, good)))


def _spoilt(trouble: Trouble, body: dict[str, Any], good: str) -> str:
    match trouble:
        case Trouble.EMPTY:
            return ""
        case Trouble.FENCED:
            return f"Here you are:\n```json\n{good}\n```\nI hope that helps!"
        case Trouble.WRONG_JSON:
            return '{"unexpected": true}'
        case Trouble.REFUSAL:
            return REFUSAL_TEXT
        case _:
            return json.dumps(_alien(json.loads(good), schema_of(body) or {})) if schema_of(body) else ALIEN


def _alien(value: Any, schema: Mapping[str, Any]) -> Any:
    """Replace the first field whose schema is an enum by a label that is none of it."""
    definitions = schema.get("$defs", {})
    changed = dict(value)
    for name, part in schema.get("properties", {}).items():
        target = definitions.get(part.get("$ref", "").rpartition("/")[2], part)
        if "enum" in target or "const" in target:
            changed[name] = ALIEN
            break
    return changed


def _error(status: int, message: str, code: str, headers: Mapping[str, str]) -> Reply:
    return Reply(status, {"error": {"message": message, "type": code, "code": code}}, headers)


def _retry_header(scripted: Scripted, now: Callable[[], datetime]) -> dict[str, str]:
    if scripted.retry_after is None:
        return {}
    if scripted.as_date:
        return {"Retry-After": format_datetime(now() + timedelta(seconds=scripted.retry_after), usegmt=True)}
    return {"Retry-After": f"{scripted.retry_after:g}"}


class FaultPlan:
    """A reply function that plays a script: the n-th request meets the n-th entry, then `then` answers.

    Args:
        script: troubles, or None for a good reply.
        then: answers when the script is over, and for None.
        per_body: count requests per body instead of in all: every request meets the whole script.
    """

    def __init__(
        self, script: Iterable[Scripted | Trouble | None], *, then: ReplyFn = default_reply, per_body: bool = False
    ) -> None:
        self._script = [Scripted(entry) if isinstance(entry, Trouble) else entry for entry in script]
        self._then = then
        self._per_body = per_body
        self._seen: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> str | Mapping[str, Any] | Reply:
        """Answer one request."""
        place = _body_key(body) if self._per_body else ""
        turn = self._seen[place]
        self._seen[place] += 1
        entry = self._script[turn] if turn < len(self._script) else None
        return self._then(body) if entry is None else make(entry, body)


class Storm:
    """A reply function that fails a share of requests, decided by body and attempt alone: equal runs fare alike.

    Args:
        share: between 0 and 1.
        kinds: the troubles to draw from.
        seed: another seed is another storm.
        then: answers the others.
    """

    def __init__(
        self,
        share: float,
        kinds: Sequence[Trouble] = (Trouble.RATE_LIMIT, Trouble.SERVER_500, Trouble.DROPPED, Trouble.NO_CHOICES),
        *,
        seed: int = 0,
        then: ReplyFn = default_reply,
    ) -> None:
        self._share = share
        self._kinds = tuple(kinds)
        self._seed = seed
        self._then = then
        self._seen: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> str | Mapping[str, Any] | Reply:
        """Answer one request."""
        place = _body_key(body)
        self._seen[place] += 1
        dice = Dice(f"{self._seed}:{place}:{self._seen[place]}".encode())
        if dice.below(10**6) < self._share * 10**6:
            return make(Scripted(self._kinds[dice.below(len(self._kinds))]), body)
        return self._then(body)


def _body_key(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
