"""Grows the seeds of one set, several at once, and commits each as it ends. Owns no prompt, no SQL and no drawing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from forge.agents.room import Room
from forge.grow.run import grow
from forge.grow.together import first_error
from forge.model.errors import ForgeError
from forge.model.events import Event, EventKind
from forge.model.growth import SeedOutcome
from forge.model.words import State

Commit = Callable[[SeedOutcome], Awaitable[None]]


@dataclass
class Growing:
    """The seeds of one run under way.

    Attributes:
        commit: stores a finished seed; awaited before the seed counts as done.
        stopped: the error that ended the run early, if one did.
    """

    room: Room
    seeds: Sequence[Any]
    workers: int
    emit: Callable[[Event], None]
    commit: Commit
    all_grades: bool = False
    stopped: BaseException | None = None

    async def run(self) -> tuple[SeedOutcome, ...]:
        """Return every seed's outcome, in file order. A seed that did not end is `pending`, with the reason.

        Whatever ends the run early (a refusal by a provider, a full disk, an interrupt) ends every seed under way;
        their answers are in the ledger, and the next run takes them up.
        """
        done: dict[str, SeedOutcome] = {}
        turns = asyncio.Semaphore(self.workers)

        async def one(seed: Any) -> None:
            async with turns:
                outcome = await grow(self.room, seed, self.emit, all_grades=self.all_grades)
                await self.commit(outcome)
                done[seed.id] = outcome

        try:
            async with asyncio.TaskGroup() as group:
                for seed in self.seeds:
                    group.create_task(one(seed))
        except BaseExceptionGroup as errors:
            self.stopped = first_error(errors)
            if not isinstance(self.stopped, ForgeError):
                raise self.stopped from None
        except asyncio.CancelledError as error:
            self.stopped = error
            if (task := asyncio.current_task()) is not None:
                task.uncancel()
        why = _why(self.stopped)
        rest = [await self._pending(seed, why) for seed in self.seeds if seed.id not in done]
        done.update({outcome.seed: outcome for outcome in rest})
        return tuple(done[seed.id] for seed in self.seeds)

    async def _pending(self, seed: Any, why: str) -> SeedOutcome:
        outcome = SeedOutcome(seed.id, seed.content, State.PENDING, why, "")
        self.emit(Event(EventKind.SEED_ENDED, seed.id, {"state": State.PENDING.value, "reason": why, "items": 0}))
        return outcome


def _why(stopped: BaseException | None) -> str:
    if isinstance(stopped, ForgeError):
        return stopped.what
    return "interrupted" if stopped is not None else "not reached"
