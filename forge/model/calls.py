"""One call to a model: the request, and an answer or a fault. The gateway turns one into the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from forge.model.words import Role


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a role asks. The ledger key is made of the declared model, the messages, the decoding parameters
    without max_tokens, the schema, the draw and the sample index: nothing else here enters it.

    Attributes:
        role: who asks; the profile says which model answers.
        messages: the chat, system message first.
        schema: a JSON Schema that the reply must satisfy, or None for free text.
        sample: the sample index within the requests that are otherwise equal.
        seed: the seed it is asked for; for events and errors, not for the key.
    """

    role: Role
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None = None
    sample: int = 0
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of one answer; `usd` is None when no price is known. Cached prompt tokens are part of
    `prompt`, never counted twice."""

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with a message, even empty, cut or refused: committed to the ledger, may decide, replays.

    Attributes:
        key: its ledger key.
        text: the answer proper.
        reasoning: the model's exposed reasoning, kept apart; empty if there is none.
        finish: the provider's finish reason (`stop`, `length`, `content_filter`, …).
        model: who really answered, as the provider names it.
        replayed: it came from the ledger.
    """

    key: str
    text: str
    reasoning: str
    finish: str
    model: str
    usage: Usage = field(default_factory=Usage)
    replayed: bool = False
    seconds: float = 0.0

    @property
    def cut(self) -> bool:
        """Whether the token limit ended it."""
        return self.finish == "length"


class FaultKind(StrEnum):
    """Why no answer came."""

    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    NO_MESSAGE = "no_message"
    BREAKER = "breaker"
    BUDGET = "budget"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Fault:
    """No answer, after all retries. It decides nothing: the seed ends `pending`, except for `never` (a request
    that the provider will never take, such as a prompt beyond its context), which ends it `failed`."""

    kind: FaultKind
    message: str
    endpoint: str = ""
    attempts: int = 1

    @property
    def final(self) -> bool:
        """Whether asking again cannot help."""
        return self.kind is FaultKind.NEVER

    def __str__(self) -> str:
        times = f" after {self.attempts} attempts" if self.attempts > 1 else ""
        return f"{self.kind}: {self.message}{times}"
