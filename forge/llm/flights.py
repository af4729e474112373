"""Single flight within a process: askers of the same thing share one task. It knows nothing of models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flight(Generic[T]):
    """One task that several askers wait for.

    Attributes:
        waiters: how many wait. At 0 the flight is abandoned: it is cancelled, unless it is `paying`.
        paying: a paid request is under way. It is let finish, so that its answer is kept.
    """

    __slots__ = ("dying", "paying", "task", "waiters")

    def __init__(self) -> None:
        self.task: asyncio.Task[T] | None = None
        self.waiters = 0
        self.paying = False
        self.dying = False

    @property
    def abandoned(self) -> bool:
        """Whether nobody waits any more."""
        return self.waiters == 0


class Flights(Generic[T]):
    """The flights of one process, by key."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, Flight[T]] = {}

    async def join(self, key: Hashable, start: Callable[[Flight[T]], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """Wait for the flight of `key`, starting it when there is none.

        A cancelled asker leaves; the flight goes on for the others.

        Returns:
            the result, and whether this asker joined a flight that another had started.
        """
        flight = self._flights.get(key)
        while flight is not None and flight.dying:
            assert flight.task is not None
            await asyncio.wait([flight.task])
            flight = self._flights.get(key)
        joined = flight is not None
        if flight is None:
            flight = self._flights[key] = Flight()
            flight.task = asyncio.get_running_loop().create_task(start(flight))
            flight.task.add_done_callback(lambda task: self._landed(key, task))
        assert flight.task is not None
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task), joined
        finally:
            flight.waiters -= 1
            if flight.abandoned and not flight.paying and not flight.task.done():
                flight.dying = True
                flight.task.cancel()

    def _landed(self, key: Hashable, task: asyncio.Task[T]) -> None:
        self._flights.pop(key, None)
        if not task.cancelled():
            task.exception()  # Marks it as seen: an abandoned flight has nobody else to see it.

    async def drain(self, grace: float) -> None:
        """Let flights that are being paid for finish within `grace` seconds, then cancel what is left."""
        tasks = [flight.task for flight in self._flights.values() if flight.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        left = [task for task in tasks if not task.done()]
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)
