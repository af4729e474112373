"""Ids, order and items do not depend on workers, hash seeds or the wall clock; a replay reproduces the bytes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from faults.mock_workspace import anneal, forge, make

from forge.testing.mockserver import MockServer
from forge.testing.world import world_reply


@pytest.mark.slow
async def test_one_worker_or_eight_and_any_hash_seed_give_the_same_bytes(tmp_path: Path) -> None:
    documents, files = [], []
    async with MockServer(world_reply, latency=0.002) as server:
        for workers, hash_seed in ((1, "0"), (8, "1"), (8, "4242")):
            workspace = make(tmp_path / f"{workers}-{hash_seed}", server.base_url)
            document = await anneal(workspace, "--workers", str(workers), PYTHONHASHSEED=hash_seed)
            documents.append(document)
            files.append((workspace.root / "runs" / document["run"] / "items.jsonl").read_bytes())
    assert documents[0]["items"]
    assert documents[0]["items"] == documents[1]["items"] == documents[2]["items"]
    assert documents[0]["ends"] == documents[1]["ends"] == documents[2]["ends"]
    assert files[0] == files[1] == files[2]


@pytest.mark.slow
async def test_every_role_a_model_and_a_replay_without_network(tmp_path: Path) -> None:
    async with MockServer(world_reply) as server:
        workspace = make(tmp_path, server.base_url)
        document = await anneal(workspace, "--profile", "all", "--limit", "4")
        assert {"viability", "truth", "judge", "solver"} <= set(document["by_role"])
        asked = server.total
        code, out, err = await forge(workspace, "replay", document["run"], "--json")
        assert code == 0, err
        assert json.loads(out)["same"] is True
        assert server.total == asked
    # The server is gone; another draw cannot be answered, the same run still replays.
    code, out, _ = await forge(workspace, "replay", document["run"], "--json")
    assert code == 0
    path = workspace.root / "runs" / document["run"] / "items.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"draw"', b'"draw"').replace(b"the", b"teh", 1))
    code, out, err = await forge(workspace, "replay", document["run"], "--json")
    assert code == 3
    assert json.loads(out)["same"] is False
    assert "items.jsonl:1" in json.loads(out)["difference"]


@pytest.mark.slow
async def test_another_draw_is_another_search(tmp_path: Path) -> None:
    async with MockServer(world_reply) as server:
        workspace = make(tmp_path / "both", server.base_url)
        first = await anneal(workspace, "--limit", "2")
        second = await anneal(workspace, "--limit", "2", "--draw", "1")
        alone = await anneal(make(tmp_path / "alone", server.base_url), "--limit", "2", "--draw", "1")
        # Nothing of draw 0 serves draw 1: beside it or alone, the same calls are made. (Items of one seed share a probe.)
        assert second["draw"] == 1
        assert second["calls"] == alone["calls"]
        assert second["calls"]["made"] > 0
        again = await anneal(workspace, "--limit", "2")
        assert again["calls"]["made"] == 0
        assert again["items"] == first["items"]
