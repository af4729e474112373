"""The limit on money and calls. It reserves before a call and settles after it, so that a limit holds in parallel."""

from __future__ import annotations

import asyncio

from forge.model.calls import Message


def most_tokens(messages: tuple[Message, ...]) -> int:
    """Return an upper estimate of a chat's tokens: a token per three bytes, and eight per message."""
    return sum(len(message.content.encode("utf-8", "surrogatepass")) // 3 + 9 for message in messages)


class Budget:
    """At most `max_usd` dollars and `max_calls` answers that are paid for; replayed ones are free.

    A call holds its worst price until it settles. When the holds of others stand in the way, it waits for them:
    they mostly cost less. Once the limit has turned one call away it stays reached.
    """

    def __init__(self, max_usd: float | None = None, max_calls: int | None = None) -> None:
        self.max_usd = max_usd
        self.max_calls = max_calls
        self.spent = 0.0
        self.calls = 0
        self.reached: str | None = None
        self._held_usd = 0.0
        self._held_calls = 0
        self._changed = asyncio.Event()

    async def reserve(self, most_usd: float) -> bool:
        """Hold one call of at most `most_usd` dollars; False when the budget is reached."""
        while self.reached is None:
            why = self._over(most_usd)
            if why is None:
                self._held_calls += 1
                self._held_usd += most_usd
                return True
            if self._held_calls == 0:
                self.reached = why
                break
            await self._changed.wait()
        return False

    def _over(self, most_usd: float) -> str | None:
        if self.max_calls is not None and self.calls + self._held_calls >= self.max_calls:
            return f"the limit of {self.max_calls} calls is reached"
        if self.max_usd is not None and self.spent + self._held_usd + most_usd > self.max_usd:
            return f"the next call could pass the limit of ${self.max_usd:g}; ${self.spent:.4f} are spent"
        return None

    def settle(self, most_usd: float, usd: float | None) -> None:
        """Turn a hold into what the answer cost. An unknown cost counts as 0: check_prices forbids it beforehand."""
        self.calls += 1
        self.spent += usd or 0.0
        self.release(most_usd)

    def release(self, most_usd: float) -> None:
        """Give a hold back: no answer came, or it has been settled."""
        self._held_calls -= 1
        self._held_usd = 0.0 if self._held_calls == 0 else self._held_usd - most_usd
        self._changed.set()
        self._changed = asyncio.Event()
