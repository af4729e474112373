"""The registry for coroutines: the same methods, each in a thread of its own, off the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from forge.model.growth import SeedOutcome
from forge.registry.evaluations import ResponseRow
from forge.registry.rows import RunRow
from forge.registry.store import Registry

if TYPE_CHECKING:
    import pandas


class AsyncRegistry:
    """Wraps a Registry. A coroutine that is cancelled while it waits leaves the transaction to end by itself, whole."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    async def record_run(self, run: RunRow) -> None:
        """See Registry.record_run."""
        await asyncio.to_thread(self.registry.record_run, run)

    async def finish_run(self, run_id: str, summary: dict[str, Any], ended: datetime | None = None) -> None:
        """See Registry.finish_run."""
        await asyncio.to_thread(self.registry.finish_run, run_id, summary, ended)

    async def commit_seed(self, run_id: str, outcome: SeedOutcome) -> None:
        """See Registry.commit_seed."""
        await asyncio.to_thread(self.registry.commit_seed, run_id, outcome)

    async def mark_duplicates(self, run_id: str, duplicates: Sequence[tuple[str, str, float]]) -> None:
        """See Registry.mark_duplicates."""
        await asyncio.to_thread(self.registry.mark_duplicates, run_id, duplicates)

    async def save_index(self, name: str, data: bytes) -> None:
        """See Registry.save_index."""
        await asyncio.to_thread(self.registry.save_index, name, data)

    async def load_index(self, name: str) -> bytes | None:
        """See Registry.load_index."""
        return await asyncio.to_thread(self.registry.load_index, name)

    async def add_responses(self, responses: Sequence[ResponseRow]) -> None:
        """See EvaluationStore.add."""
        await asyncio.to_thread(self.registry.evaluations.add, responses)

    async def runs(self) -> list[RunRow]:
        """See Registry.runs."""
        return await asyncio.to_thread(self.registry.runs)

    async def run(self, run_id: str) -> RunRow:
        """See Registry.run."""
        return await asyncio.to_thread(self.registry.run, run_id)

    async def items(
        self, where: str | None = None, run: str | None = None, limit: int | None = None
    ) -> list[dict[str, Any]]:
        """See Registry.items."""
        return await asyncio.to_thread(self.registry.items, where, run, limit)

    async def item(self, item_id: str, run: str | None = None) -> dict[str, Any]:
        """See Registry.item."""
        return await asyncio.to_thread(self.registry.item, item_id, run)

    async def tree(self, name: str, run: str | None = None) -> dict[str, Any]:
        """See Registry.tree."""
        return await asyncio.to_thread(self.registry.tree, name, run)

    async def seeds(self, run: str) -> list[dict[str, Any]]:
        """See Registry.seeds."""
        return await asyncio.to_thread(self.registry.seeds, run)

    async def frame(self, name: str, where: str | None = None) -> pandas.DataFrame:
        """See Registry.frame."""
        return await asyncio.to_thread(self.registry.frame, name, where)

    async def add_frame(self, table: str, frame: pandas.DataFrame) -> int:
        """See Registry.add_frame."""
        return await asyncio.to_thread(self.registry.add_frame, table, frame)
