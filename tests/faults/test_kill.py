"""kill -9 at ten random instants: nothing paid for is lost, and the items are those of an uninterrupted run."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from faults.mock_workspace import anneal, make, start

from forge.testing.mockserver import MockServer
from forge.testing.world import world_reply

KILLS = 10
CONCURRENCY = 8


@pytest.mark.slow
async def test_ten_kills_lose_nothing_and_change_nothing(tmp_path: Path) -> None:
    dice = random.Random(20260)
    async with MockServer(world_reply) as calm:
        whole = await anneal(make(tmp_path / "whole", calm.base_url, concurrency=CONCURRENCY))
    async with MockServer(world_reply, latency=0.05) as server:
        workspace = make(tmp_path / "killed", server.base_url, concurrency=CONCURRENCY)
        killed = 0
        while killed < KILLS:
            asked, committed = server.total, workspace.answers()
            process = await start(workspace, "anneal", "--seed-set", "D1", "--json", "--yes", "--max-usd", "5")
            # The instant is counted in requests, so that a slow machine is killed in mid-run too.
            goal = server.total + dice.randrange(1, 40)
            while server.total < goal and process.returncode is None:
                await asyncio.sleep(0.005)
            assert process.returncode is None, "the run ended before it was killed: raise the latency"
            await asyncio.sleep(dice.random() * 0.05)
            process.kill()
            await process.wait()
            killed += 1
            lost = (server.total - asked) - (workspace.answers() - committed)
            assert 0 <= lost <= CONCURRENCY, f"kill {killed}: {lost} requests without an answer in the ledger"
        before, asked = workspace.answers(), server.total
        again = await anneal(workspace)
        # No committed key is asked again: every further request made a further row.
        assert server.total - asked == workspace.answers() - before == again["calls"]["made"]
        assert (
            again["calls"]["made"] + again["calls"]["replayed"] == whole["calls"]["made"] + whole["calls"]["replayed"]
        )
        assert server.total - workspace.answers() <= KILLS * CONCURRENCY
        assert again["items"] == whole["items"]
        assert again["ends"] == whole["ends"]
        # And a third time everything replays.
        third = await anneal(workspace)
        assert third["calls"]["made"] == 0
        assert third["items"] == whole["items"]
