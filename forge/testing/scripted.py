"""A fake of the gateway: the same `ask`, answered by a function in process. Nothing is stored, nothing is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from forge.llm.keys import ledger_key
from forge.model.calls import Answer, Fault, Request, Usage
from forge.model.profile import RoleSpec
from forge.model.words import Role

Script = Callable[[Request], str | Answer | Fault]

FAKE_MODEL = "fake/scripted"


class ScriptedGateway:
    """Answers requests from a function, and remembers them.

    Args:
        script: returns a text, a whole Answer or a Fault.
        draw: enters the keys of the answers, as in the gateway.
    """

    def __init__(self, script: Script, *, draw: int = 0) -> None:
        self.script = script
        self.draw = draw
        self.requests: list[Request] = []
        self._spec = RoleSpec(models=(FAKE_MODEL,))

    async def ask(self, request: Request) -> Answer | Fault:
        """Answer a request."""
        self.requests.append(request)
        made = self.script(request)
        if isinstance(made, str):
            return answer(made, ledger_key(self._spec, request, self.draw, {}))
        return made

    async def aclose(self, grace: float = 0.0) -> None:
        """Do nothing: there is nothing to close."""

    def count(self, role: Role) -> int:
        """How often a role asked."""
        return Counter(request.role for request in self.requests)[role]


def answer(text: str, key: str = "fake", *, finish: str = "stop", reasoning: str = "") -> Answer:
    """Return an answer of the fake model; a token is four characters."""
    usage = Usage(prompt=0, completion=-(-len(text) // 4), usd=0.0)
    return Answer(key, text, reasoning, finish, FAKE_MODEL, usage)


def in_turn(replies: Iterable[str | Answer | Fault]) -> Script:
    """Return a script that plays replies one after the other, then raises IndexError."""
    left = list(replies)

    def script(request: Request) -> str | Answer | Fault:
        if not left:
            raise IndexError(f"the script has no reply left for role {request.role}")
        return left.pop(0)

    return script


def by_role(scripts: dict[Role, Script]) -> Script:
    """Return a script that asks another one per role."""

    def script(request: Request) -> str | Answer | Fault:
        return scripts[request.role](request)

    return script
